import { CAPABILITIES } from '../../src/capabilities.ts'
import {
  callsOf,
  capabilityFolders,
  child,
  children,
  constant,
  functionAround,
  nameOf,
  readSource,
  readSources,
  textsOf,
  VARIABLE,
  walk,
} from './source.ts'
import type { Node, Source } from './source.ts'

/** What the server says when something goes wrong, collected from its sources. */

const KINDS: ReadonlySet<string> = new Set([
  'accepted',
  'filtered',
  'rate_limited',
  'invalid',
  'duplicate',
  'client_discard',
  'abuse',
])

interface DoorRefusal {
  readonly status: number
  readonly reason: string
  readonly detail: string
}

const REFUSE: ReadonlySet<string> = new Set(['refuse'])

/** Every `refuse(status, reason, detail)` of the door. A detail that comes from elsewhere is `…`. */
export const doorRefusals = (): readonly DoorRefusal[] =>
  [...readSources('apps/server/src/ingest'), ...readSources('apps/server/src/feedback')].flatMap((source) =>
    callsOf(source, REFUSE).flatMap(({ args, above }) => {
      const [status = null, reason = null, detail = null] = args
      return statusesOf(status).flatMap((code) =>
        textsOf(reason).flatMap((word) =>
          detailsOf(source, detail, above).map((text) => ({ status: code, reason: word, detail: text })),
        ),
      )
    }),
  )

const statusesOf = (node: Node | null): readonly number[] => {
  if (node?.type === 'Literal' && typeof node['value'] === 'number') return [node['value']]
  if (node?.type !== 'ConditionalExpression') return []
  return [...statusesOf(child(node, 'consequent')), ...statusesOf(child(node, 'alternate'))]
}

/** Follows a helper such as `const invalid = (detail) => refuse(400, 'invalid_check_in', detail)` to its callers. */
const detailsOf = (source: Source, detail: Node | null, above: readonly Node[]): readonly string[] => {
  const helper = functionAround(above)
  const position = helper?.parameters.indexOf(nameOf(detail) ?? '') ?? -1
  if (detail?.type === 'Identifier' && helper !== null && position >= 0) {
    return callsOf(source, new Set([helper.name])).flatMap(({ args }) => textsOf(args[position] ?? null))
  }
  if (detail?.type === 'ConditionalExpression') {
    return [child(detail, 'consequent'), child(detail, 'alternate')].flatMap((branch) =>
      detailsOf(source, branch, above),
    )
  }
  const texts = textsOf(detail)
  return texts.length === 0 ? [VARIABLE] : texts
}

/** Said before the door knows whose request it is, so nobody's receipts can show them. */
const BEFORE_THE_KEY: ReadonlySet<string> = new Set([
  'method_not_allowed',
  'invalid_project',
  'missing_auth',
  'unknown_key',
  'multiple_auth',
])

/** As which outcome a refusal is counted (`outcomeOf` of ingest/door.routes.ts); null when it is not. */
export const outcomeOfRefusal = ({ status, reason }: DoorRefusal): string | null => {
  if (BEFORE_THE_KEY.has(reason)) return null
  if (reason === 'cors') return 'filtered'
  return status === 429 || status === 503 ? 'rate_limited' : 'invalid'
}

let reasons: ReadonlySet<string> | null = null

/** Every outcome with its reason, as `kind/reason`. */
export const outcomeReasons = (): ReadonlySet<string> => {
  reasons ??= collectReasons()
  return reasons
}

const collectReasons = (): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const refusal of doorRefusals()) {
    const outcome = outcomeOfRefusal(refusal)
    if (outcome !== null) found.add(`${outcome}/${refusal.reason}`)
  }
  const folders = ['ingest', 'event', ...CAPABILITIES.map(({ name }) => name.replaceAll(' ', '-'))]
  for (const source of folders.flatMap((folder) => readSources(`apps/server/src/${folder}`))) {
    for (const pair of dropsOf(source)) found.add(pair)
    walk(source.program, (node) => {
      if (node.type === 'ObjectExpression') for (const pair of pairsOf(node)) found.add(pair)
    })
  }
  return found
}

/** Calls that end an item. Each file has its own little helper, so what is not said by the call is said here. */
const dropsOf = (source: Source): readonly string[] => {
  const found: string[] = []
  for (const { name, args } of callsOf(source, new Set(['drop', 'invalid', 'filtered', 'items', 'request']))) {
    const texts = args.map((argument) => textsOf(argument)[0] ?? VARIABLE)
    const at = texts.findIndex((text) => KINDS.has(text))
    if (at >= 0 && (name === 'drop' || name === 'items' || name === 'request'))
      found.push(`${texts[at]}/${texts[at + 1]}`)
    else if (at < 0 && isHelper(source, name) && texts.length === 2) {
      found.push(`${name === 'filtered' ? 'filtered' : 'invalid'}/${texts[0]}`)
    }
  }
  return found
}

/** True of a file's own `(reason, detail) => …`. */
const isHelper = ({ program }: Source, name: string): boolean => {
  const parameters = children(constant(program, name), 'params').map(nameOf)
  return parameters[0] === 'reason' && parameters[1] === 'detail'
}

/** `{ kind: 'invalid', reason: 'x' }` and `{ outcome: 'invalid', …, reason: 'x' }`; a reason alone is an invalid item. */
const pairsOf = (node: Node): readonly string[] => {
  const fields = new Map(
    children(node, 'properties').map((property) => [nameOf(child(property, 'key')) ?? '', child(property, 'value')]),
  )
  const reasons = textsOf(fields.get('reason') ?? null)
  if (reasons.length === 0) return []
  const kinds = [...textsOf(fields.get('kind') ?? null), ...textsOf(fields.get('outcome') ?? null)]
  if (kinds.includes('discarded'))
    return reasons.map((reason) => `${reason === 'discarded_hash' ? 'filtered' : 'invalid'}/${reason}`)
  const known = kinds.filter((kind) => KINDS.has(kind))
  if (known.length > 0) return known.flatMap((kind) => reasons.map((reason) => `${kind}/${reason}`))
  return fields.has('item') ? reasons.map((reason) => `invalid/${reason}`) : []
}

interface Words {
  readonly why: string
  readonly todo: string
}

const CONSOLE_WORDS = 'apps/console/src/features/receipts/model/reasons.ts'

/** The console's explanations by `kind/reason`. */
export const consoleReasons = (): ReadonlyMap<string, Words> => {
  const { program } = readSource(CONSOLE_WORDS)
  const found = new Map<string, Words>()
  for (const [catalogue, kind] of [
    ['FILTERED', 'filtered'],
    ['RATE_LIMITED', 'rate_limited'],
    ['INVALID', 'invalid'],
    ['CLIENT', 'client_discard'],
    ['GENERAL', ''],
  ] as const) {
    const properties = children(constant(program, catalogue), 'properties')
    if (properties.length === 0) throw new Error(`${CONSOLE_WORDS} has no catalogue ${catalogue}`)
    for (const property of properties) {
      const [why = '', todo = ''] = children(child(property, 'value'), 'arguments').map(
        (argument) => textsOf(argument)[0] ?? '',
      )
      found.set(`${kind}/${nameOf(child(property, 'key'))}`, { why, todo })
    }
  }
  return found
}

interface ApiError {
  readonly status: string
  readonly detail: string
}

const STATUS_OF_HELPER: Readonly<Record<string, string>> = {
  badRequest: '400',
  // What a route makes of it.
  Unanswerable: '400',
  unauthorized: '401',
  forbidden: '403',
  notFound: '404',
  conflict: '409',
  // Of what took too long on a thread.
  refuseBeyond: '409',
}

/** As in http/unwrap.ts. */
const STATUS_OF_FAILURE: Readonly<Record<string, string>> = {
  not_found: '404',
  conflict: '409',
  invalid: '400',
  forbidden: '403',
  wrong_credentials: '400',
  too_many_attempts: '429',
  busy: '503',
}

/** Every sentence with which the HTTP API refuses. */
export const apiErrors = (): readonly ApiError[] => {
  const found: ApiError[] = []
  for (const folder of ['http', 'search', ...capabilityFolders()]) {
    for (const source of readSources(`apps/server/src/${folder}`)) found.push(...apiErrorsOf(source, folder))
  }
  for (const source of readSources('apps/server/src')) {
    for (const { args } of callsOf(source, new Set(['StoreFault', 'DamagedStore', 'DamagedBlob'])))
      for (const detail of textsOf(args[0] ?? null, source.program)) found.push({ status: '503', detail })
  }
  return found
}

const apiErrorsOf = (source: Source, folder: string): readonly ApiError[] => {
  const { program } = source
  const found: ApiError[] = []
  const calls = callsOf(source, new Set([...Object.keys(STATUS_OF_HELPER), 'HttpError', 'failure', 'err']))
  for (const { name, args, above } of calls) {
    const [first = null, second = null] = args
    const helper = STATUS_OF_HELPER[name]
    if (helper !== undefined)
      for (const detail of saidWith(source, first, above)) found.push({ status: helper, detail })
    else if (name === 'HttpError') {
      const given = nameOf(second)
      const fallback = defaultOf(above, given)
      const details = fallback === null ? textsOf(second, program) : textsOf(fallback)
      for (const status of statusesOf(first))
        for (const detail of details) found.push({ status: String(status), detail })
    } else if (name === 'failure') {
      const status = STATUS_OF_FAILURE[textsOf(first)[0] ?? '']
      if (status !== undefined) for (const detail of textsOf(second, program)) found.push({ status, detail })
    } else if (folder !== 'http') {
      // A sentence as the error of a `Result`; whoever gets it answers 400 with it.
      const details = [...textsOf(first), ...returnedAs(program, first)]
      for (const detail of details) if (detail.includes(' ')) found.push({ status: '400', detail })
    }
  }
  return found
}

/** Follows a helper such as `const refused = (sentence) => badRequest(sentence, …)` to its callers. */
const saidWith = (source: Source, detail: Node | null, above: readonly Node[]): readonly string[] => {
  const helper = functionAround(above)
  const position = helper?.parameters.indexOf(nameOf(detail) ?? '') ?? -1
  if (detail?.type !== 'Identifier' || helper === null || position < 0) return textsOf(detail, source.program)
  return callsOf(source, new Set([helper.name])).flatMap(({ args }) => textsOf(args[position] ?? null, source.program))
}

/** `const fault = faultOf(text)`: what that function of the same file returns. */
const returnedAs = (program: Node, detail: Node | null): readonly string[] => {
  const call = detail?.type === 'Identifier' ? constant(program, String(detail['name']), Number(detail['start'])) : null
  const body = call?.type === 'CallExpression' ? constant(program, nameOf(child(call, 'callee')) ?? '') : null
  const texts: string[] = []
  if (body !== null) {
    walk(body, (node) => {
      if (node.type === 'ReturnStatement') texts.push(...textsOf(child(node, 'argument')))
    })
  }
  return texts
}

/** `(detail = 'words') => new HttpError(404, detail)` */
const defaultOf = (above: readonly Node[], name: string | null): Node | null => {
  for (const node of above.toReversed()) {
    for (const parameter of children(node, 'params')) {
      if (parameter.type === 'AssignmentPattern' && nameOf(child(parameter, 'left')) === name)
        return child(parameter, 'right')
    }
  }
  return null
}

const START_UP = new Set([
  'StorageUnavailableError',
  'StorageCorruptError',
  'StorageVersionError',
  'SpoolInUseError',
  'SpoolLockError',
  'ConfigError',
  'RangeError',
  'Error',
])

/** Sentences that end a start: of the stores, the configuration and the place to listen. */
export const startUpErrors = (): readonly string[] => {
  const sources = [
    ...readSources('apps/server/src/storage'),
    ...['config.ts', 'data-folder.ts', 'compose.ts', 'http/addressing.ts', 'ingest/spool/lock.ts'].map((name) =>
      readSource(`apps/server/src/${name}`),
    ),
  ]
  return sources.flatMap((source) =>
    callsOf(source, START_UP).flatMap(({ name, args }) => {
      const ours = name !== 'Error' && name !== 'RangeError'
      const forStart = /(?:compose|addressing)\.ts$/.test(source.path)
      return ours || forStart ? textsOf(args[0] ?? null, source.program) : []
    }),
  )
}

/** What is wrong with a running server, by the id of the finding. */
export const findingsOfServer = (): readonly { readonly id: string; readonly sentence: string }[] =>
  readSources('apps/server/src').flatMap((source) =>
    callsOf(source, new Set(['finding'])).flatMap(({ args }) =>
      textsOf(args[0] ?? null).flatMap((id) =>
        textsOf(args[1] ?? null, source.program).map((sentence) => ({ id, sentence })),
      ),
    ),
  )
