"""CPython's own functions, on the host."""


def hls_to_rgb(h, l, s): return _host__('colorsys.hls_to_rgb', h, l, s)
def hsv_to_rgb(h, s, v): return _host__('colorsys.hsv_to_rgb', h, s, v)
def rgb_to_hls(r, g, b): return _host__('colorsys.rgb_to_hls', r, g, b)
def rgb_to_hsv(r, g, b): return _host__('colorsys.rgb_to_hsv', r, g, b)
def rgb_to_yiq(r, g, b): return _host__('colorsys.rgb_to_yiq', r, g, b)
def yiq_to_rgb(y, i, q): return _host__('colorsys.yiq_to_rgb', y, i, q)
