/**
 * Strings from the wire (tool names, ids, messages) reach terminals, XML and web pages. Each writer here
 * makes them show as themselves and do nothing.
 */

/**
 * C0 and C1 controls and DEL move cursors and start escape sequences; the line and paragraph separators
 * break lines; bidirectional and zero-width marks make text read as another text ("Trojan Source").
 */
const active =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** One line of plain text: every active character as `\xNN` or `\uNNNN`. */
export function inertText(text: string): string {
  return text.replace(active, escaped).replace(loneSurrogate, escaped);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x0a) return '\\n';
  if (code === 0x0d) return '\\r';
  if (code === 0x09) return '\\t';
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** JSON with nothing that a terminal or an HTML page would act on. Parses to the same value. */
export function inertJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent)
    .replace(/[<>&]/g, jsonEscape)
    .replace(active, (character) => (character === '\n' ? character : jsonEscape(character)));
}

function jsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** XML text or attribute value, without what XML 1.0 (section 2.2, Char) cannot hold. */
export function inertXml(text: string): string {
  return inertText(text)
    .replace(/[\ufffe\uffff]/g, escaped)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}

/** A Markdown code span that holds in a table cell. */
export function inertCode(text: string): string {
  return `\`${inertText(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

/** The message of a GitHub workflow command. */
export function inertCommandData(text: string): string {
  return inertText(text).replaceAll('%', '%25');
}

/** A property of a GitHub workflow command. */
export function inertCommandProperty(text: string): string {
  return inertCommandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
