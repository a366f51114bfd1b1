import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import { namingAny } from './naming-any.ts'
import { SqliteConnection } from './sqlite-connection.ts'

it('a statement that looks into texts may be stopped at each of them', () => {
  let asked = 0
  const connection = new SqliteConnection({
    path: ':memory:',
    pragmas: [],
    statementCache: 1,
    checkTime: () => {
      asked += 1
      if (asked > 2) throw new Error('nobody waits')
    },
  })
  const db = new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (own) => new SqliteIntrospector(own),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  connection.run('CREATE TABLE noted (data text)', [])
  for (const text of ['of Ada', 'OF ADA', 'of nobody']) connection.run('INSERT INTO noted VALUES (?)', [text])
  const counting = (least: string) => {
    const named = namingAny('sqlite', 'data', { exact: [], lower: ['of ada'] })
    return sql`SELECT count(*) AS count FROM noted WHERE data >= ${least} AND ${named}`.compile(db)
  }
  const few = counting('of')
  expect(connection.run(few.sql, few.parameters).rows).toEqual([{ count: 1 }])
  asked = 0
  const all = counting('')
  expect(() => connection.run(all.sql, all.parameters)).toThrow('nobody waits')
  connection.close()
})
