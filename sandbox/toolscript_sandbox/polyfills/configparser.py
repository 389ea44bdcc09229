"""Settings: read by CPython on the host, then plain dicts."""

Error = NoSectionError = NoOptionError = ParsingError = DuplicateSectionError = DuplicateOptionError = ValueError
InterpolationError = MissingSectionHeaderError = ValueError
_BOOLEANS = {'1': True, 'yes': True, 'true': True, 'on': True, '0': False, 'no': False, 'false': False, 'off': False}
_NONE = ['no fallback']


class Section:
    def __init__(self, name, own, defaults):
        self.name, self._own, self._defaults = name, own, defaults

    def _all(self): return {**self._own, **{key: self._defaults[key] for key in self._defaults if key not in self._own}}
    def keys(self): return self._all().keys()
    def values(self): return self._all().values()
    def items(self): return self._all().items()
    def __iter__(self): return iter(list(self._all()))
    def __len__(self): return len(self._all())
    def __contains__(self, option): return option.lower() in self._all()
    def __setitem__(self, option, value): self._own[option.lower()] = value
    def __repr__(self): return f'<Section: {self.name}>'

    def __getitem__(self, option):
        if option not in self:
            raise KeyError(option)
        return self._all()[option.lower()]

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
        self._defaults = {key.lower(): value for key, value in (defaults or {}).items()}
        self._sections = {'DEFAULT': Section('DEFAULT', self._defaults, {})}

    def read_string(self, string, source='<string>'):
        defaults, sections = _host__('configparser.read', string, self._defaults, **self._options)
        self._defaults.update(defaults)
        for name, (own, inherited) in sections.items():
            section = self._sections.setdefault(name, Section(name, {}, inherited))
            section._own.update(own)
            section._defaults = inherited

    def read_dict(self, dictionary, source='<dict>'):
        for name, values in dictionary.items():
            if name not in self._sections:
                self.add_section(name)
            for key, value in values.items():
                self.set(name, key, value if value is None else str(value))

    def _section(self, name):
        if name not in self._sections:
            raise NoSectionError(f'No section: {name!r}')
        return self._sections[name]

    def _converted(self, section, option, convert, fallback=_NONE):
        if fallback is not _NONE and not self.has_option(section, option):
            return fallback
        if option not in self._section(section):
            raise NoOptionError(f'No option {option!r} in section: {section!r}')
        return convert(self._sections[section][option])

    def get(self, section, option, **options): return self._converted(section, option, lambda text: text, **options)
    def getint(self, section, option, **options): return self._converted(section, option, int, **options)
    def getfloat(self, section, option, **options): return self._converted(section, option, float, **options)
    def getboolean(self, section, option, **options): return self._converted(section, option, _boolean, **options)
    def defaults(self): return self._defaults
    def sections(self): return [name for name in self._sections if name != 'DEFAULT']
    def has_section(self, section): return section in self.sections()
    def has_option(self, section, option): return section in self._sections and option in self._sections[section]
    def options(self, section): return list(self._section(section).keys())
    def set(self, section, option, value=None): self._section(section)[option] = value
    def __iter__(self): return iter(list(self._sections))
    def __len__(self): return len(self._sections)
    def __contains__(self, section): return section in self._sections

    def items(self, section=None, **options):
        if section is None:
            return list(self._sections.items())
        return list({**self._defaults, **self._section(section)._all()}.items())

    def add_section(self, section):
        if section in self._sections:
            raise DuplicateSectionError(f'Section {section!r} already exists')
        self._sections[section] = Section(section, {}, self._defaults)

    def __setitem__(self, section, values):
        self._sections[section] = Section(section, {}, self._defaults)
        self.read_dict({section: values})

    def __getitem__(self, section):
        if section not in self._sections:
            raise KeyError(section)
        return self._sections[section]

    def write(self, fp, space_around_delimiters=True):
        sign = ' = ' if space_around_delimiters else '='
        for name, section in self._sections.items():
            if name != 'DEFAULT' or self._defaults:
                pairs = [key if value is None else key + sign + value for key, value in section._own.items()]
                fp.write('\n'.join([f'[{name}]', *[pair.replace('\n', '\n\t') for pair in pairs], '', '']))


def RawConfigParser(defaults=None, **options): return ConfigParser(defaults, **{'interpolation': None, **options})
