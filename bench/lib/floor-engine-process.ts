import { Session } from 'chdb'

/** The bare engine on the data of a stopped server: `insert <folder> <rows> <table>` or `query <folder>`. */
const [task = '', path = '', rows = '10000', table = 'events'] = process.argv.slice(2)
/** As the digest writes them. */
const BATCH_ROWS = table === 'events' ? 1000 : 10_000
const ID = table === 'spans' ? 'span_id' : table === 'logs' ? 'id' : 'event_id'
const ROUNDS = 40

const session = new Session(path)
const text = async (query: string): Promise<string> =>
  (await session.queryAsync(query, { format: 'TabSeparated' })).text()
const database = (await text("SELECT database FROM system.tables WHERE name = 'events' LIMIT 1")).trim()
const events = `${database}.events`

const insertRate = async (): Promise<number> => {
  const bare = `${database}.bare`
  await session.queryAsync(`DROP TABLE IF EXISTS ${bare}`)
  await session.queryAsync(`CREATE TABLE ${bare} AS ${database}.${table}`)
  const batches: Uint8Array[] = []
  for (let start = 0; start < Number(rows); start += BATCH_ROWS) {
    const query = `SELECT * FROM ${database}.${table} ORDER BY received, ${ID} LIMIT ${BATCH_ROWS} OFFSET ${start}`
    batches.push((await session.queryAsync(query, { format: 'TabSeparated' })).bytes())
  }
  const started = performance.now()
  for (const values of batches) await session.insert({ table: bare, values, format: 'TabSeparated' })
  const seconds = (performance.now() - started) / 1000
  await session.queryAsync(`DROP TABLE ${bare}`)
  return (batches.length * BATCH_ROWS) / seconds
}

const queryTimes = async (): Promise<{ name: string; times: number[] }[]> => {
  const newest = `(SELECT issue_id FROM ${events} GROUP BY issue_id ORDER BY max(timestamp) DESC LIMIT 25)`
  const ids = (await text(`SELECT issue_id FROM ${newest}`)).trim().split('\n').join(',')
  const questions = {
    'SELECT 1': 'SELECT 1',
    'count and users of 25 issues by day': `SELECT issue_id, toDate(timestamp) AS day, count(), uniq(user_key) FROM ${events} WHERE project_id = 1 AND issue_id IN (${ids}) GROUP BY issue_id, day`,
    'issues with a word': `SELECT DISTINCT issue_id FROM ${events} WHERE search_text LIKE '%charge of billing%'`,
    'events by issue': `SELECT issue_id, count() FROM ${events} GROUP BY issue_id`,
  }
  const measured = []
  for (const [name, question] of Object.entries(questions)) {
    await text(question)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = performance.now()
      await text(question)
      times.push(performance.now() - started)
    }
    measured.push({ name, times: times.sort((a, b) => a - b) })
  }
  return measured
}

const answer = task === 'insert' ? await insertRate() : await queryTimes()
session.close()
process.send?.(answer)
process.disconnect()
