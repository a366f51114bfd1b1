import { ENDPOINTS, paramNames } from '../../../packages/contract/src/index.ts'
import { targetOf } from './requests.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { ask } from './session.ts'
import type { World } from './world.ts'

/** Searches, ids, cursors and paths that no client sends, on every endpoint that reads: no failure, nothing of others. */

export interface HostileReadFigures {
  readonly reads: number
  readonly statuses: Readonly<Record<string, number>>
  readonly failures: readonly string[]
}

const AT_ONCE = 8

const WORDS = [
  "' OR 1=1 --",
  '"; DROP TABLE issues; --',
  '%00',
  '\0',
  '\ud800',
  '../../../../etc/passwd',
  '..%2f..%2fledger.sqlite',
  '*'.repeat(500),
  `${'*a'.repeat(200)}b`,
  '(((((((((((((((((((((((((((((((((((((((',
  'is:unresolved OR OR OR',
  '!!has:',
  'message:"unclosed',
  'title:*[a-z]* level:>error',
  'timestamp:>9999999999999',
  'user.email:*@*',
  '-1',
  '0',
  '1e309',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  'NaN',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '[object Object]',
  'latest',
  'a'.repeat(5000),
  '\u202e',
  '<script>',
  '{{7*7}}',
  '${7*7}',
  'toString(sleep(3))',
  '1) UNION ALL SELECT payload FROM events --',
]

/** Keys that some endpoint reads; each is tried on all. */
const KEYS = [
  'query',
  'cursor',
  'sort',
  'project',
  'environment',
  'statsPeriod',
  'start',
  'end',
  'limit',
  'per_page',
  'field',
  'yAxis',
  'interval',
  'id',
  'groups',
  'key',
  'expand',
  'collapse',
  'orderby',
  'groupBy',
  'outcome',
  'mailbox',
  'assigned',
  'tag',
  'full',
  'topEvents',
]

const CURSORS = ['0:0:0', '0:100:1', '1e9:0:0', '-1:-1:-1', `${'9'.repeat(30)}:0:0`, 'a:b:c', '::', '1700000000000:0:0']

const hostilePath = (path: string, random: Random): string => {
  const [place = '', query = ''] = path.split('?', 2)
  if (random.below(2) === 0) {
    // One segment after `/api/0/…` becomes something else; the organisation stays, so that the request gets past it.
    const segments = place.split('/')
    const at = 5 + random.below(Math.max(1, segments.length - 5))
    if (segments[at] !== undefined && segments[at] !== '')
      segments[at] = encodeURIComponent(random.pick(WORDS).toWellFormed())
    return `${segments.join('/')}?${query}`
  }
  const search = new URLSearchParams(query)
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const key = random.pick(KEYS)
    search.append(key, key === 'cursor' ? random.pick(CURSORS) : random.pick(WORDS).toWellFormed())
  }
  return `${place}?${search.toString()}`
}

export const probeHostileReads = async (world: World, reads: number, seed: number): Promise<HostileReadFigures> => {
  const random = createRandom(seed)
  const rival = world.principals.find(({ asksAs }) => asksAs !== undefined)
  if (rival === undefined) throw new Error('the world has no rival')
  const targets = Object.entries(ENDPOINTS).filter(
    ([, { method, path, stream }]) => method === 'GET' && paramNames(path).length > 0 && !stream,
  )
  const statuses: Record<string, number> = {}
  const failures: string[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < reads) {
      next += 1
      const [name, endpoint] = random.pick(targets)
      const asRival = random.below(2) === 0
      const slug = asRival ? world.rival.organization : world.victim.organization
      const path = hostilePath(targetOf(name, endpoint, slug, world.ids).path, random)
      const answer = await ask(`${world.base}${path}`, { headers: asRival ? rival.headers : world.owner })
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status === 0 || answer.status >= 500)
        failures.push(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
      if (asRival && [world.canary, ...world.secrets].some((secret) => answer.text.includes(secret))) {
        // What the rival asked for by name comes back in messages.
        if (!world.secrets.some((secret) => path.includes(secret)))
          failures.push(`${path} tells the rival of the victim`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { reads, statuses, failures }
}
