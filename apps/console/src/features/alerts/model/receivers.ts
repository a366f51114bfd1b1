import type { AlertAction } from '@firsthand/contract'

/** Receivers as choices of one list: `owners`, `team:1`, `member:3`, `channel:5`. */
export const keyOfAction = (action: AlertAction): string =>
  action.kind === 'channel'
    ? `channel:${action.channelId}`
    : action.target === 'owners'
      ? 'owners'
      : `${action.target}:${action.id ?? ''}`

export function actionOf(key: string): AlertAction | null {
  if (key === 'owners') return { kind: 'people', target: 'owners', id: null, fallthrough: 'active', from: 'fired' }
  const [kind = '', id = ''] = key.split(':')
  if (id === '') return null
  if (kind === 'channel') return { kind, channelId: id, from: 'fired' }
  if (kind === 'team' || kind === 'member')
    return { kind: 'people', target: kind, id, fallthrough: 'nobody', from: 'fired' }
  return null
}

/** Those that stay keep what was said of them. */
export function withReceivers(actions: readonly AlertAction[], keys: readonly string[]): AlertAction[] {
  const known = new Map(actions.map((action) => [keyOfAction(action), action]))
  return keys.map((key) => known.get(key) ?? actionOf(key)).filter((action) => action !== null)
}
