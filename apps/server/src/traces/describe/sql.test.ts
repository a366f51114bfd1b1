import { describe, expect, it } from 'vitest'
import { describeSql, looksLikeSql } from './sql.ts'

const textOf = (sql: string, system = ''): string => describeSql(sql, system).text

describe('T31 SQL with literals, lists, comments and line breaks is one group', () => {
  it.each([
    [
      "SELECT * FROM orders WHERE id = 17 AND name = 'Ann''s'",
      "select *\n  from orders -- mine\nwhere id=$1 and name=E'x\\'y'",
    ],
    [
      'SELECT * FROM t WHERE id IN (1, 2, 3)',
      `SELECT * FROM t WHERE id IN (${Array.from({ length: 300 }, (_, n) => n).join(',')})`,
    ],
    ['SELECT * FROM t WHERE id IN ($1::int)', 'SELECT * FROM t WHERE id IN ($1::int, $2::int)'],
    ['SELECT * FROM t WHERE (a, b) IN ((1, 2))', 'SELECT * FROM t WHERE (a, b) IN ((1, 2), (3, 4))'],
    ['INSERT INTO t (a, b) VALUES (1, NOW())', "INSERT INTO t (a, b) VALUES ('x', 2), (3, NOW()), (4, f(5))"],
    ['SELECT a.id, a.name FROM shop.orders a', 'SELECT "public"."a"."id" AS "x", a.name AS y FROM orders a'],
    ['SELECT `a`.`b`, `c` FROM `t` LIMIT 10', 'select b, c from t limit 20;'],
    ['SELECT x FROM t /* trace=1 */ WHERE a = -5', 'SELECT x FROM t WHERE a = 1.5e-3 -- y'],
    ['SELECT x FROM t WHERE a = 0xFF AND b = true', 'SELECT x FROM t WHERE a = :one AND b = %(two)s'],
    ['SELECT * FROM orders_20251122', 'SELECT * FROM orders_20261123'],
    ['SAVEPOINT s17_a', 'SAVEPOINT "s18_b"'],
    ['SELECT {id:UInt32}', 'SELECT 5'],
    ['SELECT $tag$ it is 1 $tag$', 'SELECT @p1'],
  ])('%s', (one, other) => {
    expect(textOf(one)).toBe(textOf(other))
  })

  it.each([
    ['SELECT a FROM t', 'SELECT b FROM t'],
    ['SELECT a FROM t', 'SELECT a FROM u'],
    ['SELECT a FROM t WHERE b IS NULL', 'SELECT a FROM t WHERE b = 1'],
    ['SELECT a FROM t ORDER BY b, c', 'SELECT a FROM t ORDER BY c, b'],
    ['SELECT * FROM t WHERE id IN (SELECT a FROM u)', 'SELECT * FROM t WHERE id IN (SELECT a FROM w)'],
  ])('and others are not: %s', (one, other) => {
    expect(textOf(one)).not.toBe(textOf(other))
  })
})

it('shows a statement with %s for its values', () => {
  const sql = `SELECT u.id, u.name, COUNT(*) FROM public.users u LEFT JOIN "order items" i ON i.user_id = u.id
    WHERE u.age > 18 AND u.city IN ('Bern', 'Graz') GROUP BY u.id, u.name`
  expect(describeSql(sql, 'postgresql')).toEqual({
    text: 'SELECT .., COUNT(*) FROM users u LEFT JOIN order items i ON user_id = id WHERE age > %s AND city IN (%s) GROUP BY id, name',
    tables: ['users', 'order items'],
  })
  expect(
    textOf("INSERT INTO t (a, b, c) VALUES (1, 'x', NULL) ON CONFLICT (a) DO UPDATE SET b = 'y' RETURNING a, b"),
  ).toBe('INSERT INTO t(..) VALUES (%s) ON CONFLICT (a) DO UPDATE SET b = %s RETURNING ..')
})

it.each([
  ['SELECT 1 FROM a, b, c x JOIN d ON true', ['a', 'b', 'c', 'd']],
  ['WITH recent AS (SELECT * FROM orders) SELECT * FROM recent', ['orders']],
  ['SELECT EXTRACT(YEAR FROM made) FROM orders', ['orders']],
  ['SELECT * FROM generate_series(1, 3)', []],
  ['DELETE FROM carts WHERE id = 1', ['carts']],
  ['UPDATE carts SET a = 1', ['carts']],
  ['SELECT a FROM carts FOR UPDATE SKIP LOCKED', ['carts']],
  ['SELECT a FROM carts WHERE a IS DISTINCT FROM b', ['carts']],
  ['SELECT a FROM (SELECT b FROM c) x', ['c']],
])('tables of %s', (sql, tables) => {
  expect(describeSql(sql, '').tables).toEqual(expect.arrayContaining(tables))
  expect(describeSql(sql, '').tables.filter((table) => table !== 'b')).toEqual(tables.filter((table) => table !== 'b'))
})

it('reads what dialects write differently', () => {
  expect(textOf('SELECT "it""s" # a note\nFROM t', 'mysql')).toBe('SELECT %s FROM t')
  expect(textOf('SELECT [a b] FROM [dbo].[t]', 'mssql')).toBe('SELECT a b FROM t')
  expect(textOf(String.raw`SELECT 1 WHERE a = 'C:\' AND b = 2`, 'postgresql')).toBe('SELECT %s WHERE a = %s AND b = %s')
  expect(textOf("SELECT a->>'name' FROM t WHERE b @> '{}'")).toBe('SELECT a - >> %s FROM t WHERE b @ > %s')
})

it('knows SQL by its first word', () => {
  expect(looksLikeSql('/* a *//* b */ (select 1)')).toBe(true)
  expect(looksLikeSql('User Load')).toBe(false)
  expect(looksLikeSql('')).toBe(false)
})

const MEGABYTE = 1_000_000
const filled = (piece: string): string => piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE)
const LARGE: readonly (readonly [string, string])[] = [
  ['a list', `SELECT * FROM t WHERE id IN (${filled('12345, ')})`],
  ['rows', `INSERT INTO t VALUES ${filled("(1, 'abc', now()),")}`],
  ['brackets', filled('(')],
  ['an open text', `SELECT '${filled('a')}`],
  ['comments', `SELECT ${filled('/**/')} 1`],
  ['open comments', filled('/*')],
  ['dashes', filled('-')],
  ['columns', `SELECT ${filled('abc, ')}`],
  ['qualified', `SELECT ${filled('a.')}`],
  ['quoted', filled('"')],
  ['dollars', filled('$a$')],
  ['one name', filled('a1')],
  ['braces', filled('{')],
  ['braces in a list', `SELECT 1 WHERE a IN (${filled('{')}`],
  ['brackets in a list', `SELECT 1 WHERE a IN (${filled('((a) ')}`],
]

describe('T32 SQL that is cut off or large', () => {
  it('never throws, wherever it is cut off', () => {
    const sql = `WITH x AS (SELECT "a"."b", $$q$$ FROM t WHERE c IN ('d', -1.5e3) /* e */) INSERT INTO f (g, h) VALUES (1, 'i') -- j`
    for (let length = 0; length <= sql.length; length += 1) {
      for (const system of ['', 'mysql', 'mssql', 'postgresql'])
        expect(textOf(sql.slice(0, length), system)).toBeTypeOf('string')
    }
  })

  it.each(LARGE)('of 1 MB of %s takes at most 20 ms', (_, sql) => {
    let best = Infinity
    for (let round = 0; round < 10 && best > 20_000; round += 1) {
      const before = process.threadCpuUsage()
      expect(textOf(sql).length).toBeLessThanOrEqual(1000)
      looksLikeSql(sql)
      const { user, system } = process.threadCpuUsage(before)
      best = Math.min(best, user + system)
    }
    expect(best).toBeLessThanOrEqual(20_000)
  })
})
