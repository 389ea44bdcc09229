"""Constants with groups of characters."""

ascii_lowercase, ascii_uppercase = 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
ascii_letters, digits, octdigits, hexdigits = ascii_lowercase + ascii_uppercase, '0123456789', '01234567', '0123456789abcdefABCDEF'
punctuation, whitespace = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', ' \t\n\r\x0b\x0c'
printable = digits + ascii_letters + punctuation + whitespace
