"""Trees of XML: read, written and searched by paths by CPython on the host, plain objects in between."""

ParseError = SyntaxError


class Element:
    def __init__(self, tag, attrib={}, **extra):
        self.tag, self.attrib, self.text, self.tail, self._children = tag, {**attrib, **extra}, None, None, []

    def get(self, key, default=None): return self.attrib.get(key, default)
    def set(self, key, value): self.attrib[key] = value
    def keys(self): return self.attrib.keys()
    def items(self): return self.attrib.items()
    def append(self, subelement): self._children.append(subelement)
    def extend(self, elements): self._children.extend(elements)
    def insert(self, index, subelement): self._children.insert(index, subelement)
    def remove(self, subelement): self._children.remove(subelement)
    def makeelement(self, tag, attrib): return Element(tag, attrib)
    def __len__(self): return len(self._children)
    def __iter__(self): return iter(self._children)
    def __getitem__(self, index): return self._children[index]
    def __setitem__(self, index, element): self._children[index] = element
    def __repr__(self): return f'<Element {self.tag!r} at {id(self):#x}>'

    def clear(self):
        self.attrib, self.text, self.tail, self._children = {}, None, None, []

    def iter(self, tag=None):
        found = [self] if tag in (None, '*', self.tag) else []
        for child in self._children:
            found += list(child.iter(tag))
        return iter(found)

    def itertext(self):
        texts = [self.text]
        for child in self._children:
            texts += [*child.itertext(), child.tail]
        return iter([text for text in texts if text])

    def findall(self, path, namespaces=None):
        if path.replace('_', 'a').isalnum():
            return [child for child in self._children if child.tag == path]
        return [_reached(self, way) for way in _host__('xml.etree.ElementTree.findall', _listed(self), path, namespaces)]

    def find(self, path, namespaces=None): return (self.findall(path, namespaces) or [None])[0]
    def iterfind(self, path, namespaces=None): return iter(self.findall(path, namespaces))

    def findtext(self, path, default=None, namespaces=None):
        found = self.find(path, namespaces)
        return default if found is None else found.text or ''


class ElementTree:
    def __init__(self, element=None):
        self._root = element

    def getroot(self): return self._root
    def iter(self, tag=None): return self._root.iter(tag)
    def find(self, path, namespaces=None): return self._root.find(path, namespaces)
    def findall(self, path, namespaces=None): return self._root.findall(path, namespaces)
    def findtext(self, path, default=None, namespaces=None): return self._root.findtext(path, default, namespaces)
    def iterfind(self, path, namespaces=None): return self._root.iterfind(path, namespaces)


def _listed(element):
    return [element.tag, element.attrib, element.text, element.tail, [_listed(child) for child in element._children]]


def _made(listed):
    tag, attrib, text, tail, children = listed
    element = Element(tag, attrib)
    element.text, element.tail, element._children = text, tail, [_made(child) for child in children]
    return element


def _reached(element, way):
    for place in way:
        element = element._children[place]
    return element


def SubElement(parent, tag, attrib={}, **extra):
    element = Element(tag, attrib, **extra)
    parent.append(element)
    return element


def fromstring(text, parser=None): return _made(_host__('xml.etree.ElementTree.fromstring', text))
def XML(text, parser=None): return fromstring(text)
def fromstringlist(sequence, parser=None): return fromstring(''.join(sequence))
def iselement(element): return isinstance(element, Element)


def tostring(element, encoding='us-ascii', method='xml', **options):
    return _host__('xml.etree.ElementTree.tostring', _listed(element), encoding, method, **options)


def indent(tree, space='  ', level=0):
    root = tree.getroot() if isinstance(tree, ElementTree) else tree
    if len(root._children):
        _indented(root, '\n' + level * space, space)


def _indented(element, line, space):
    if not (element.text or '').strip():
        element.text = line + space
    for child in element._children:
        if len(child._children):
            _indented(child, line + space, space)
        if not (child.tail or '').strip():
            child.tail = line + space
    if not (child.tail or '').strip():
        child.tail = line
