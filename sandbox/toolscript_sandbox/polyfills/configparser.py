"""Settings, parsed by CPython on the host. They can be read but not written."""

Error = NoSectionError = NoOptionError = ParsingError = DuplicateSectionError = DuplicateOptionError = ValueError
InterpolationError = MissingSectionHeaderError = ValueError
_BOOLEANS = {'1': True, 'yes': True, 'true': True, 'on': True, '0': False, 'no': False, 'false': False, 'off': False}
_NONE = ['no fallback']


class Section:
    """`known` has what the host knows about each option; `key` returns the name under which it is there."""

    def __init__(self, name, known, key): self.name, self._known, self._key = name, known, key
    def keys(self): return self._known.keys()
    def values(self): return self._texts().values()
    def items(self): return self._texts().items()
    def __iter__(self): return iter(list(self._known))
    def __len__(self): return len(self._known)
    def __contains__(self, option): return self._key(option) in self._known
    def __repr__(self): return f'<Section: {self.name}>'
    def _texts(self): return {option: self._text(option) for option in self._known}

    def _text(self, option, raw=False):
        text, interpolated, problem = self._known[self._key(option)]
        if problem is not None and not raw:
            raise InterpolationError(problem)
        return text if raw else interpolated

    def __getitem__(self, option):
        if option not in self:
            raise KeyError(option)
        return self._text(option)

    def _converted(self, option, convert, fallback=None, *, raw=False):
        return convert(self._text(option, raw)) if option in self else fallback

    def get(self, option, fallback=None, **options): return self._converted(option, _unchanged, fallback, **options)
    def getint(self, option, fallback=None, **options): return self._converted(option, int, fallback, **options)
    def getfloat(self, option, fallback=None, **options): return self._converted(option, float, fallback, **options)
    def getboolean(self, option, fallback=None, **options): return self._converted(option, _boolean, fallback, **options)


def _unchanged(text): return text


def _boolean(value):
    if value.lower() not in _BOOLEANS:
        raise ValueError(f'Not a boolean: {value}')
    return _BOOLEANS[value.lower()]


class ConfigParser:
    def __init__(self, defaults=None, *, interpolation='basic', **options):
        self._options, self._texts, self._given = {'interpolation': interpolation, **options}, [], defaults
        self._sections = {'DEFAULT': Section('DEFAULT', {}, self.optionxform)}
        if defaults:
            self._read()

    def optionxform(self, optionstr): return optionstr.lower()

    def read_string(self, string, source='<string>'):
        self._texts.append(string)
        self._read()

    def _read(self):
        key = self.optionxform
        found = _host__('configparser.read', self._texts, key('A') != 'a', self._given, **self._options)
        self._sections = {name: Section(name, {key(option): known[option] for option in known}, key) for name, known in found.items()}

    def _section(self, name):
        if name not in self._sections:
            raise NoSectionError(f'No section: {name!r}')
        return self._sections[name]

    def _converted(self, section, option, convert, *, fallback=_NONE, raw=False):
        if fallback is not _NONE and not self.has_option(section, option):
            return fallback
        if option not in self._section(section):
            raise NoOptionError(f'No option {option!r} in section: {section!r}')
        return convert(self._sections[section]._text(option, raw))

    def get(self, section, option, **options): return self._converted(section, option, _unchanged, **options)
    def getint(self, section, option, **options): return self._converted(section, option, int, **options)
    def getfloat(self, section, option, **options): return self._converted(section, option, float, **options)
    def getboolean(self, section, option, **options): return self._converted(section, option, _boolean, **options)
    def defaults(self): return {option: known[0] for option, known in self._sections['DEFAULT']._known.items()}
    def sections(self): return [name for name in self._sections if name != 'DEFAULT']
    def has_section(self, section): return section in self.sections()
    def has_option(self, section, option): return section in self._sections and option in self._sections[section]
    def options(self, section): return list(self._section(section).keys())
    def __iter__(self): return iter(list(self._sections))
    def __len__(self): return len(self._sections)
    def __contains__(self, section): return section in self._sections

    def items(self, section=None, raw=False):
        if section is None:
            return list(self._sections.items())
        found = self._section(section)
        # The defaults come first.
        return [(option, found._text(option, raw)) for option in {**self.defaults(), **found._known}]

    def __getitem__(self, section):
        if section not in self._sections:
            raise KeyError(section)
        return self._sections[section]


def RawConfigParser(defaults=None, **options): return ConfigParser(defaults, **{'interpolation': None, **options})
