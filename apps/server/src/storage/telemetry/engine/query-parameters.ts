/**
 * ClickHouse's query parameters, `{name:Type}`, for an engine without them: chDB binds parameters for the whole process,
 * so that two queries at once would see each other's. A placeholder becomes what a ClickHouse server makes of it, a
 * literal cast to the type; text inside strings, quoted names and comments is left alone.
 */

/** A placeholder without a value; the text follows ClickHouse's own (code 456). */
export class UnknownParameterError extends Error {
  override readonly name = 'UnknownParameterError'
}

const PLACEHOLDER = /\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*:\s*([^{}]+?)\s*\}/y

const quoteString = (text: string): string => `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`

const quoteIdentifier = (text: string): string =>
  text
    .split('.')
    .map((part) => `\`${part.replace(/[\\`]/g, (character) => `\\${character}`)}\``)
    .join('.')

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', '0': '\0' }

/** Values arrive in the escaped form of TabSeparated. */
const unescapeScalar = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_, character: string) => ESCAPES[character] ?? character)

const STRING_TYPE = /^(?:LowCardinality\()?(?:Nullable\()?(?:String|FixedString\(\d+\))\)*$/
const COMPOUND_TYPE = /^(?:Array|Tuple|Map)\b/

const literal = (type: string, value: string): string => {
  if (type === 'Identifier') return quoteIdentifier(unescapeScalar(value))
  if (value === '\\N') return `_CAST(NULL, ${quoteString(type)})`
  if (COMPOUND_TYPE.test(type)) return `_CAST(${quoteString(value)}, ${quoteString(type)})`
  const scalar = quoteString(unescapeScalar(value))
  return STRING_TYPE.test(type) && !type.startsWith('Fixed') ? scalar : `_CAST(${scalar}, ${quoteString(type)})`
}

/** Index behind the quoted text that starts at `start`; backslash escapes and doubled quotes stay inside. */
const endOfQuoted = (sql: string, start: number): number => {
  const quote = sql[start]
  let index = start + 1
  while (index < sql.length) {
    if (sql[index] === '\\') index += 2
    else if (sql[index] !== quote) index += 1
    else if (sql[index + 1] === quote) index += 2
    else return index + 1
  }
  return sql.length
}

/** Index behind the comment or quoted text at `start`, or `start` when there is none. */
const endOfOpaque = (sql: string, start: number): number => {
  const character = sql[start]
  if (character === "'" || character === '"' || character === '`') return endOfQuoted(sql, start)
  if (character === '-' && sql[start + 1] === '-') {
    const end = sql.indexOf('\n', start)
    return end === -1 ? sql.length : end + 1
  }
  if (character === '/' && sql[start + 1] === '*') {
    const end = sql.indexOf('*/', start + 2)
    return end === -1 ? sql.length : end + 2
  }
  return start
}

/**
 * @param values by name, as `param_<name>` of the HTTP interface carries them
 * @throws UnknownParameterError
 */
export const substituteParameters = (sql: string, values: ReadonlyMap<string, string>): string => {
  let result = ''
  let copied = 0
  let index = 0
  while (index < sql.length) {
    const opaqueEnd = endOfOpaque(sql, index)
    if (opaqueEnd > index) {
      index = opaqueEnd
      continue
    }
    if (sql[index] !== '{') {
      index += 1
      continue
    }
    PLACEHOLDER.lastIndex = index
    const match = PLACEHOLDER.exec(sql)
    if (match === null) {
      index += 1
      continue
    }
    const [whole, name = '', type = ''] = match
    const value = values.get(name)
    if (value === undefined) {
      throw new UnknownParameterError(
        `Code: 456. DB::Exception: Substitution \`${name}\` is not set. (UNKNOWN_QUERY_PARAMETER)`,
      )
    }
    result += sql.slice(copied, index) + literal(type, value)
    index += whole.length
    copied = index
  }
  return result + sql.slice(copied)
}
