import { LIMITS } from '../limits.ts'
import { SqlLexer } from './sql-lexer.ts'

/** What a statement is, whatever values it had this time. */
export interface DescribedQuery {
  readonly text: string
  /** In the order in which they are named. */
  readonly tables: readonly string[]
}

const KEYWORDS: ReadonlySet<string> = new Set(
  `SELECT DISTINCT ALL FROM WHERE AND OR NOT IN IS NULL LIKE ILIKE BETWEEN EXISTS AS ON USING JOIN LEFT RIGHT INNER OUTER FULL
  CROSS NATURAL LATERAL GROUP BY ORDER HAVING LIMIT OFFSET FETCH ONLY UNION INTERSECT EXCEPT INSERT INTO VALUES UPDATE SET DELETE
  RETURNING WITH RECURSIVE CASE WHEN THEN ELSE ASC DESC NULLS CREATE ALTER DROP TABLE IF TRUNCATE BEGIN TRANSACTION COMMIT
  ROLLBACK SAVEPOINT RELEASE TO CONFLICT DO NOTHING DUPLICATE FOR NOWAIT SKIP LOCKED PREWHERE PRAGMA EXPLAIN REPLACE`.split(
    /\s+/,
  ),
)

const VALUE_WORDS: ReadonlySet<string> = new Set(['TRUE', 'FALSE'])

/** After these comes the name of a table. */
const BEFORE_TABLE: ReadonlySet<string> = new Set(['JOIN', 'INTO', 'UPDATE', 'TABLE'])
/** These may stand between. */
const WITHIN_TABLE: ReadonlySet<string> = new Set(['ONLY', 'LATERAL', 'IF', 'NOT', 'EXISTS'])
/** A list of columns ends here. */
const AFTER_COLUMNS: ReadonlySet<string> = new Set(['FROM', 'WHERE', 'INTO', 'UNION', 'VALUES'])
const BEFORE_COLUMN: ReadonlySet<string> = new Set(['SELECT', 'DISTINCT', 'ALL', 'RETURNING', ',', '('])
const LITERAL = '%s'
/** Several plain columns. */
const COLUMNS = '..'

/** What is open between two brackets. */
interface Level {
  /** It is a query: its FROM names tables (that of `EXTRACT(YEAR FROM x)` does not). */
  isQuery: boolean
  inColumns: boolean
  inFrom: boolean
}

type PartKind = 'word' | 'keyword' | 'literal' | 'sign'

class Description {
  readonly #lexer: SqlLexer
  readonly #parts: string[] = []
  readonly #kinds: PartKind[] = []
  readonly #levels: Level[] = [{ isQuery: false, inColumns: false, inFrom: false }]
  readonly #tables = new Set<string>()
  readonly #subqueries = new Set<string>()
  #characters = 0
  #isInsert = false
  #expectsTable = false
  #expectsName = false

  constructor(lexer: SqlLexer) {
    this.#lexer = lexer
  }

  run(): DescribedQuery {
    const lexer = this.#lexer
    while (this.#characters < LIMITS.SPAN_GROUP_CHARS && lexer.next() !== 'end') {
      if (lexer.kind === 'literal') this.#literal()
      else if (lexer.kind === 'sign') this.#sign(lexer.text)
      else this.#word(lexer.text, lexer.kind === 'word')
    }
    while (this.#last() === ';') this.#pop()
    return {
      text: this.#joined().slice(0, LIMITS.SPAN_GROUP_CHARS).toWellFormed(),
      tables: [...this.#tables].filter((table) => !this.#subqueries.has(table)),
    }
  }

  #word(text: string, mayBeKeyword: boolean): void {
    const upper = mayBeKeyword && text.length <= 12 ? text.toUpperCase() : ''
    if (VALUE_WORDS.has(upper)) this.#literal()
    else if (KEYWORDS.has(upper)) this.#keyword(upper)
    else this.#name(withoutIds(text))
  }

  #keyword(word: string): void {
    const level = this.#level()
    const isLock = word === 'UPDATE' && (this.#last() === 'FOR' || this.#last() === 'DO')
    const isTableNext = (BEFORE_TABLE.has(word) && !isLock) || (word === 'FROM' && level.isQuery)
    this.#expectsTable = isTableNext || (this.#expectsTable && WITHIN_TABLE.has(word))
    this.#expectsName = word === 'SAVEPOINT' || (word === 'TO' && this.#last() === 'ROLLBACK')
    if (AFTER_COLUMNS.has(word)) level.inColumns = false
    if (word === 'SELECT' || word === 'DELETE') level.isQuery = true
    if (word === 'SELECT' || word === 'RETURNING') level.inColumns = true
    if (word === 'FROM') level.inFrom = level.isQuery
    else if (word !== 'JOIN' && word !== 'AS') level.inFrom = false
    if (word === 'INSERT' || word === 'REPLACE') this.#isInsert = true
    if (word === 'AS') this.#as()
    else if (word === 'VALUES') this.#values()
    else if (word === 'IN' && this.#lexer.peek() === '(') this.#list()
    else this.#push(word, 'keyword')
  }

  /** Another name for a column says nothing; what is told of a query by `WITH name AS (…)` is no table. */
  #as(): void {
    const next = this.#lexer.peek()
    if (next === '(') this.#subqueries.add(this.#last())
    if (!this.#level().inColumns || next === '(' || next === '') {
      this.#push('AS', 'keyword')
      return
    }
    this.#lexer.next()
  }

  /** However many rows, it is one statement. */
  #values(): void {
    this.#push('VALUES', 'keyword')
    if (this.#lexer.peek() !== '(') return
    this.#push('(', 'sign')
    this.#push(LITERAL, 'literal')
    this.#push(')', 'sign')
    this.#lexer.next()
    this.#lexer.skipToClosing()
    while (this.#lexer.peek() === ',') {
      this.#lexer.next()
      if (this.#lexer.peek() !== '(') {
        this.#push(',', 'sign')
        return
      }
      this.#lexer.next()
      this.#lexer.skipToClosing()
    }
  }

  /** `IN (1, 2, 3)` → `IN (%s)`; a query in the brackets stays. */
  #list(): void {
    this.#push('IN', 'keyword')
    this.#lexer.next()
    this.#sign('(')
    this.#lexer.next()
    const { kind, text } = this.#lexer
    if (kind === 'word' && /^(?:select|with)$/i.test(text)) {
      this.#word(text, true)
      return
    }
    if (kind !== 'sign' || text !== ')') {
      if (kind === 'sign' && text === '(') this.#lexer.skipToClosing()
      this.#lexer.skipToClosing()
    }
    this.#push(LITERAL, 'literal')
    this.#sign(')')
  }

  #name(text: string): void {
    if (this.#expectsName) {
      this.#literal()
      return
    }
    const next = this.#lexer.peek()
    if (this.#expectsTable) {
      this.#expectsTable = false
      const isCall = next === '(' && !this.#isInsert
      if (!isCall && this.#tables.size < LIMITS.SPAN_TABLES) this.#tables.add(text)
    }
    if (this.#level().inColumns && this.#foldsColumn(next)) {
      this.#pop()
      this.#pop()
      this.#push(COLUMNS, 'word')
      return
    }
    this.#push(text, 'word')
  }

  /** Whether the last parts are `column,` and what comes now is a plain column, too. */
  #foldsColumn(next: string): boolean {
    const { length } = this.#parts
    if (length < 3 || this.#last() !== ',' || this.#kinds[length - 2] !== 'word') return false
    return BEFORE_COLUMN.has(this.#parts[length - 3] ?? '') && !'(+-*/|<>=:.!'.includes(next || ' ')
  }

  #literal(): void {
    this.#expectsName = false
    this.#expectsTable = false
    const { length } = this.#parts
    const isSigned = this.#last() === '-' || this.#last() === '+'
    if (isSigned && this.#kinds[length - 2] !== 'word' && this.#kinds[length - 2] !== 'literal') {
      if (this.#parts[length - 2] !== ')') this.#pop()
    }
    const before = this.#kinds.at(-1)
    if (before === 'literal') return
    if (this.#last() === ',' && this.#kinds.at(-2) === 'literal') this.#pop()
    else this.#push(LITERAL, 'literal')
  }

  #sign(sign: string): void {
    if (sign === '(') {
      const isColumnsOfInsert = this.#isInsert && this.#levels.length === 1 && this.#kinds.at(-1) === 'word'
      this.#isInsert &&= !isColumnsOfInsert
      this.#levels.push({ isQuery: false, inColumns: isColumnsOfInsert, inFrom: false })
      this.#expectsTable = false
    } else if (sign === ')') {
      if (this.#levels.length > 1) this.#levels.pop()
    } else if (sign === ',' && this.#level().inFrom) {
      this.#expectsTable = true
    }
    this.#push(sign, 'sign')
  }

  #level(): Level {
    return this.#levels.at(-1) ?? { isQuery: false, inColumns: false, inFrom: false }
  }

  #last(): string {
    return this.#parts.at(-1) ?? ''
  }

  #push(part: string, kind: PartKind): void {
    this.#parts.push(part)
    this.#kinds.push(kind)
    this.#characters += part.length + 1
  }

  #pop(): void {
    this.#kinds.pop()
    this.#characters -= (this.#parts.pop()?.length ?? -1) + 1
  }

  #joined(): string {
    let text = ''
    let before = ''
    this.#parts.forEach((part, index) => {
      const isCall = part === '(' && this.#kinds[index - 1] === 'word'
      const isTight = before === '' || TIGHT_BEFORE.has(part) || TIGHT_AFTER.has(before) || isCall
      text += isTight ? part : ` ${part}`
      before = part
    })
    return text
  }
}

const TIGHT_BEFORE: ReadonlySet<string> = new Set([',', ')', ']', '[', '.', '::', ';'])
const TIGHT_AFTER: ReadonlySet<string> = new Set(['(', '[', '.', '::'])

const IDS = /(?:(?=[a-f]{0,7}\d)[0-9a-f]{8,}|\d{4,})/gi

/** `orders_20261122` and `tmp_3f2a9c1d` are tables of which there are many. */
const withoutIds = (name: string): string => {
  const short = name.length > 200 ? name.slice(0, 200) : name
  return /\d{2}/.test(short) ? short.replace(IDS, '*') : short
}

/** @param system by the names of OpenTelemetry; '' when nobody says */
export const describeSql = (sql: string, system: string): DescribedQuery =>
  new Description(new SqlLexer(sql, system)).run()

const STATEMENTS: ReadonlySet<string> = new Set(
  `SELECT INSERT UPDATE DELETE WITH REPLACE MERGE CREATE ALTER DROP TRUNCATE BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE SET SHOW
  EXPLAIN PRAGMA CALL EXEC EXECUTE DECLARE COPY LOCK ANALYZE VACUUM VALUES`.split(/\s+/),
)

/** Whether a text without any word about its system reads like SQL. */
export const looksLikeSql = (text: string): boolean => {
  const lexer = new SqlLexer(text, '')
  for (let brackets = 0; brackets < 8 && lexer.next() === 'sign' && lexer.text === '(';) brackets += 1
  return lexer.kind === 'word' && STATEMENTS.has(lexer.text.toUpperCase())
}
