import type { EventView, NamedValues } from './event-view.ts'

/** Contexts by the names people know; anything else keeps the SDK's own. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['app', 'App'],
  ['browser', 'Browser'],
  ['client_os', 'Client system'],
  ['cloud_resource', 'Cloud'],
  ['culture', 'Language and time'],
  ['device', 'Device'],
  ['gpu', 'Graphics'],
  ['nextjs', 'Next.js'],
  ['os', 'Operating system'],
  ['otel', 'OpenTelemetry'],
  ['profile', 'Profile'],
  ['react', 'React'],
  ['replay', 'Replay'],
  ['response', 'Response'],
  ['runtime', 'Runtime'],
  ['state', 'State'],
  ['trace', 'Trace'],
])

export function contextTitle(name: string): string {
  return TITLES.get(name) ?? name
}

/** The facts of the line below the title: browser, system, user, each only when the event has it. */
export function eventFacts(event: EventView): readonly string[] {
  const browser = product(fieldsOf(event, 'browser')) || tag(event, 'browser')
  const runtime = product(fieldsOf(event, 'runtime'))
  const system = product(fieldsOf(event, 'client_os')) || product(fieldsOf(event, 'os')) || tag(event, 'os')
  return [browser || runtime, system, userLabel(event)].filter((fact) => fact !== '')
}

export function userLabel(event: EventView): string {
  const user = event.user
  if (user === null) return ''
  const name = user.email || user.username || user.name
  if (name !== '') return user.id === '' || user.id === name ? name : `${name} (${user.id})`
  return user.id === '' ? user.ipAddress : `user ${user.id}`
}

function product(fields: NamedValues): string {
  const text = (key: string) => {
    const value = fields.find(([name]) => name === key)?.[1]
    return typeof value === 'string' ? value.trim() : ''
  }
  const name = text('name')
  return name === '' ? '' : [name, shortVersion(text('version'))].filter((part) => part !== '').join(' ')
}

/** `156.0.0.0` → `156`, `v20.20.2` and `12.11` stay. */
function shortVersion(version: string): string {
  return version.replace(/(?:\.0)+$/, '')
}

function fieldsOf(event: EventView, name: string): NamedValues {
  return event.contexts.find((context) => context.name === name)?.fields ?? []
}

function tag(event: EventView, key: string): string {
  return event.tags.find(([name]) => name === key)?.[1] ?? ''
}
