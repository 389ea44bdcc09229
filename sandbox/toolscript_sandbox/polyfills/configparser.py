"""Settings: read by CPython on the host, then plain dicts."""

Error = NoSectionError = NoOptionError = ParsingError = DuplicateSectionError = DuplicateOptionError = ValueError
InterpolationError = MissingSectionHeaderError = ValueError
_BOOLEANS = {'1': True, 'yes': True, 'true': True, 'on': True, '0': False, 'no': False, 'false': False, 'off': False}
_MISSING = ['missing']


class _Section:
    def __init__(self, parser, name): self.parser, self.name = parser, name
    def get(self, option, fallback=None, **options): return self.parser.get(self.name, option, fallback=fallback)
    def getint(self, option, fallback=None): return self.parser.getint(self.name, option, fallback=fallback)
    def getfloat(self, option, fallback=None): return self.parser.getfloat(self.name, option, fallback=fallback)
    def getboolean(self, option, fallback=None): return self.parser.getboolean(self.name, option, fallback=fallback)
    def keys(self): return list(self.parser._all(self.name))
    def values(self): return list(self.parser._all(self.name).values())
    def items(self): return list(self.parser._all(self.name).items())
    def __iter__(self): return iter(self.keys())
    def __len__(self): return len(self.keys())
    def __contains__(self, option): return option.lower() in self.parser._all(self.name)
    def __setitem__(self, option, value): self.parser.set(self.name, option, value)
    def __repr__(self): return f'<Section: {self.name}>'

    def __getitem__(self, option):
        if option not in self:
            raise KeyError(option)
        return self.parser._all(self.name)[option.lower()]


class ConfigParser:
    def __init__(self, defaults=None, *, interpolation='basic', **options):
        self._options = {'interpolation': interpolation, **options}
        self._defaults = {key.lower(): value for key, value in (defaults or {}).items()}
        self._sections = {}

    def read_string(self, string, source='<string>'):
        for name, values in _host__('configparser.read', string, self._defaults, **self._options).items():
            if name == 'DEFAULT':
                self._defaults = values
            else:
                self._sections[name] = {**self._sections.get(name, {}), **values}

    def read_dict(self, dictionary, source='<dict>'):
        for name, values in dictionary.items():
            if name != 'DEFAULT' and name not in self._sections:
                self._sections[name] = {}
            for key, value in values.items():
                self.set(name, key, str(value))

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
        return {**self._sections[section], **{key: value for key, value in self._defaults.items() if key not in self._sections[section]}}

    def get(self, section, option, *, raw=False, vars=None, fallback=_MISSING):
        if fallback is not _MISSING and section != 'DEFAULT' and section not in self._sections:
            return fallback
        values = {**self._all(section), **(vars or {})}
        if option.lower() not in values:
            if fallback is _MISSING:
                raise NoOptionError(f'No option {option!r} in section: {section!r}')
            return fallback
        return values[option.lower()]

    def _converted(self, section, option, fallback, convert):
        found = self.get(section, option, fallback=fallback)
        return found if found is fallback else convert(found)

    def getint(self, section, option, *, fallback=_MISSING, **options): return self._converted(section, option, fallback, int)
    def getfloat(self, section, option, *, fallback=_MISSING, **options): return self._converted(section, option, fallback, float)
    def getboolean(self, section, option, *, fallback=_MISSING, **options): return self._converted(section, option, fallback, _boolean)

    def items(self, section=None, **options):
        return [(name, self[name]) for name in self] if section is None else list({**self._defaults, **self._all(section)}.items())

    def add_section(self, section):
        if section in self._sections:
            raise DuplicateSectionError(f'Section {section!r} already exists')
        self._sections[section] = {}

    def set(self, section, option, value=None):
        if section != 'DEFAULT' and section not in self._sections:
            raise NoSectionError(f'No section: {section!r}')
        (self._defaults if section == 'DEFAULT' else self._sections[section])[option.lower()] = value

    def write(self, fp, space_around_delimiters=True):
        sign = ' = ' if space_around_delimiters else '='
        for name, values in [('DEFAULT', self._defaults), *self._sections.items()]:
            if name != 'DEFAULT' or values:
                fp.write(f'[{name}]\n')
                for key, value in values.items():
                    fp.write(f'{key}\n' if value is None else f'{key}{sign}{str(value).replace(chr(10), chr(10) + chr(9))}\n')
                fp.write('\n')

    def __iter__(self): return iter(['DEFAULT', *self._sections])
    def __len__(self): return len(self._sections) + 1
    def __contains__(self, section): return section == 'DEFAULT' or section in self._sections
    def __setitem__(self, section, values):
        self._sections[section] = {}
        self.read_dict({section: values})

    def __getitem__(self, section):
        if section not in self:
            raise KeyError(section)
        return _Section(self, section)


def RawConfigParser(defaults=None, **options): return ConfigParser(defaults, **{'interpolation': None, **options})


def _boolean(value):
    if value.lower() not in _BOOLEANS:
        raise ValueError(f'Not a boolean: {value}')
    return _BOOLEANS[value.lower()]
