"""XML trees, parsed and searched by path in CPython on the host. They can be changed, but not written as text."""

ParseError = SyntaxError


class Element:
    def __init__(self, tag, attrib, text, tail, children):
        self.tag, self.attrib, self.text, self.tail = tag, attrib, text, tail
        self._children = [Element(*child) for child in children]

    def get(self, key, default=None): return self.attrib.get(key, default)
    def set(self, key, value): self.attrib[key] = value
    def append(self, subelement): self._children.append(subelement)
    def extend(self, elements): self._children.extend(elements)
    def insert(self, index, subelement): self._children.insert(index, subelement)
    def keys(self): return list(self.attrib)
    def items(self): return list(self.attrib.items())
    def __len__(self): return len(self._children)
    def __iter__(self): return iter(self._children)
    def __getitem__(self, index): return self._children[index]

    def remove(self, subelement):
        places = [place for place, child in enumerate(self._children) if child is subelement]
        if not places:
            raise ValueError('list.remove(x): x not in list')
        self._children.pop(places[0])

    def iter(self, tag=None): return iter(self._all(tag))
    def itertext(self): return iter([text for text in self._texts() if text])

    def _all(self, tag):
        return ([self] if tag in (None, '*', self.tag) else []) + [one for child in self._children for one in child._all(tag)]

    def _texts(self): return [self.text] + [text for child in self._children for text in (*child._texts(), child.tail)]

    def findall(self, path, namespaces=None):
        if path.replace('_', 'a').isalnum():
            return [child for child in self._children if child.tag == path]
        ways = _host__('xml.etree.ElementTree.findall', _listed(self), path, namespaces)
        return [_reached(self, way) for way in ways]

    def find(self, path, namespaces=None): return (self.findall(path, namespaces) or [None])[0]
    def iterfind(self, path, namespaces=None): return iter(self.findall(path, namespaces))

    def findtext(self, path, default=None, namespaces=None):
        found = self.find(path, namespaces)
        return default if found is None else found.text or ''


def _listed(element):
    return [element.tag, element.attrib, element.text, element.tail, [_listed(child) for child in element._children]]


def _reached(element, way):
    for place in way:
        element = element._children[place]
    return element


def fromstring(text): return Element(*_host__('xml.etree.ElementTree.fromstring', text))
