"""Settings, parsed by CPython on the host. They can be read but not written."""

Error = NoSectionError = NoOptionError = ParsingError = DuplicateSectionError = DuplicateOptionError = ValueError
InterpolationError = MissingSectionHeaderError = ValueError
_BOOLEANS = {'1': True, 'yes': True, 'true': True, 'on': True, '0': False, 'no': False, 'false': False, 'off': False}
_NONE = ['no fallback']


class Section:
    def __init__(self, name, values): self.name, self._values = name, values
    def keys(self): return self._values.keys()
    def values(self): return self._values.values()
    def items(self): return self._values.items()
    def __iter__(self): return iter(list(self._values))
    def __len__(self): return len(self._values)
    def __contains__(self, option): return option.lower() in self._values
    def __repr__(self): return f'<Section: {self.name}>'

    def __getitem__(self, option):
        if option not in self:
            raise KeyError(option)
        return self._values[option.lower()]

    def get(self, option, fallback=None, **options): return self[option] if option in self else fallback
    def getint(self, option, fallback=None, **options): return int(self[option]) if option in self else fallback
    def getfloat(self, option, fallback=None, **options): return float(self[option]) if option in self else fallback
    def getboolean(self, option, fallback=None, **options): return _boolean(self[option]) if option in self else fallback


def _boolean(value):
    if value.lower() not in _BOOLEANS:
        raise ValueError(f'Not a boolean: {value}')
    return _BOOLEANS[value.lower()]


class ConfigParser:
    def __init__(self, defaults=None, *, interpolation='basic', **options):
        self._options = {'interpolation': interpolation, **options}
        self._text, self._given = '', {key.lower(): value for key, value in (defaults or {}).items()}
        self._sections = {'DEFAULT': Section('DEFAULT', self._given)}

    def read_string(self, string, source='<string>'):
        if self._text:
            raise NotImplementedError('settings are read once here: join the texts first')
        self._text = string
        found = _host__('configparser.read', string, self._given, **self._options)
        self._sections = {name: Section(name, values) for name, values in found.items()}

    def _section(self, name):
        if name not in self._sections:
            raise NoSectionError(f'No section: {name!r}')
        return self._sections[name]

    def _converted(self, section, option, convert, fallback=_NONE, **options):
        if fallback is not _NONE and not self.has_option(section, option):
            return fallback
        if option not in self._section(section):
            raise NoOptionError(f'No option {option!r} in section: {section!r}')
        return convert(self._sections[section][option])

    def get(self, section, option, **options): return self._converted(section, option, lambda text: text, **options)
    def getint(self, section, option, **options): return self._converted(section, option, int, **options)
    def getfloat(self, section, option, **options): return self._converted(section, option, float, **options)
    def getboolean(self, section, option, **options): return self._converted(section, option, _boolean, **options)
    def defaults(self): return self._sections['DEFAULT']._values
    def sections(self): return [name for name in self._sections if name != 'DEFAULT']
    def has_section(self, section): return section in self.sections()
    def has_option(self, section, option): return section in self._sections and option in self._sections[section]
    def options(self, section): return list(self._section(section).keys())
    def __iter__(self): return iter(list(self._sections))
    def __len__(self): return len(self._sections)
    def __contains__(self, section): return section in self._sections

    def items(self, section=None, **options):
        if section is None:
            return list(self._sections.items())
        values = self._section(section)._values
        # The defaults come first.
        return list({**{key: values[key] for key in self.defaults()}, **values}.items())

    def __getitem__(self, section):
        if section not in self._sections:
            raise KeyError(section)
        return self._sections[section]


def RawConfigParser(defaults=None, **options): return ConfigParser(defaults, **{'interpolation': None, **options})
