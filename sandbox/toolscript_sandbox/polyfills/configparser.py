"""Settings that are read: by CPython on the host, then plain dicts."""

Error = NoSectionError = NoOptionError = ParsingError = DuplicateSectionError = DuplicateOptionError = ValueError
InterpolationError = MissingSectionHeaderError = ValueError
_BOOLEANS = {'1': True, 'yes': True, 'true': True, 'on': True, '0': False, 'no': False, 'false': False, 'off': False}
_MISSING = ['missing']


class _Section:
    def __init__(self, parser, name):
        self.parser, self.name = parser, name

    def get(self, option, fallback=None): return self.parser.get(self.name, option, fallback=fallback)
    def getint(self, option, fallback=None): return self.parser.getint(self.name, option, fallback=fallback)
    def getfloat(self, option, fallback=None): return self.parser.getfloat(self.name, option, fallback=fallback)
    def getboolean(self, option, fallback=None): return self.parser.getboolean(self.name, option, fallback=fallback)
    def keys(self): return self.parser._all(self.name).keys()
    def values(self): return self.parser._all(self.name).values()
    def items(self): return self.parser._all(self.name).items()
    def __iter__(self): return iter(list(self.keys()))
    def __len__(self): return len(self.keys())
    def __contains__(self, option): return option.lower() in self.parser._all(self.name)

    def __getitem__(self, option):
        if option not in self:
            raise KeyError(option)
        return self.parser._all(self.name)[option.lower()]


class ConfigParser:
    def __init__(self, defaults=None, *, interpolation='basic', **options):
        self._options = {'interpolation': interpolation, **options}
        self._defaults, self._sections = {key.lower(): value for key, value in (defaults or {}).items()}, {}

    def read_string(self, string, source='<string>'):
        for name, values in _host__('configparser.read', string, self._defaults, **self._options).items():
            if name == 'DEFAULT':
                self._defaults = values
            else:
                self._sections[name] = {**self._sections.get(name, {}), **values}

    def defaults(self): return self._defaults
    def sections(self): return list(self._sections)
    def has_section(self, section): return section in self._sections
    def has_option(self, section, option): return section in self._sections and option.lower() in self._all(section)
    def options(self, section): return list(self._all(section))

    def _all(self, section):
        if section == 'DEFAULT':
            return self._defaults
        if section not in self._sections:
            raise NoSectionError(f'No section: {section!r}')
        found = self._sections[section]
        return {**found, **{key: value for key, value in self._defaults.items() if key not in found}}

    def get(self, section, option, *, fallback=_MISSING):
        if fallback is not _MISSING and not self.has_option(section, option):
            return self._defaults.get(option.lower(), fallback) if section == 'DEFAULT' else fallback
        if option.lower() not in self._all(section):
            raise NoOptionError(f'No option {option!r} in section: {section!r}')
        return self._all(section)[option.lower()]

    def _converted(self, section, option, fallback, convert):
        found = self.get(section, option, fallback=fallback)
        return found if found is fallback else convert(found)

    def getint(self, section, option, *, fallback=_MISSING): return self._converted(section, option, fallback, int)
    def getfloat(self, section, option, *, fallback=_MISSING): return self._converted(section, option, fallback, float)
    def getboolean(self, section, option, *, fallback=_MISSING): return self._converted(section, option, fallback, _boolean)
    def items(self, section): return list({**self._defaults, **self._all(section)}.items())
    def __iter__(self): return iter(['DEFAULT', *self._sections])
    def __len__(self): return len(self._sections) + 1
    def __contains__(self, section): return section == 'DEFAULT' or section in self._sections

    def __getitem__(self, section):
        if section not in self:
            raise KeyError(section)
        return _Section(self, section)


def RawConfigParser(defaults=None, **options): return ConfigParser(defaults, **{'interpolation': None, **options})


def _boolean(value):
    if value.lower() not in _BOOLEANS:
        raise ValueError(f'Not a boolean: {value}')
    return _BOOLEANS[value.lower()]
