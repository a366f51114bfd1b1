import { CHANNEL_FORMS } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { fieldsOf, problemsOf, startOf } from './form.ts'
import { KIND_NAMES, KINDS } from './kinds.ts'

const channel = {
  id: '1',
  kind: 'mail' as const,
  name: 'On call',
  settings: { addresses: ['a@x.example', 'b@x.example'] },
  target: '',
  version: 1,
  isOn: true,
  offReason: '',
  failingSince: null,
  lastSentAt: null,
  lastError: null,
  rotatesUntil: null,
  createdAt: '',
  createdBy: null,
}

describe('the form of a channel', () => {
  it('asks for what the server wants of each kind, and for nothing else', () => {
    expect(new Set(KIND_NAMES)).toEqual(new Set(Object.keys(CHANNEL_FORMS)))
    for (const kind of KIND_NAMES) {
      for (const place of ['settings', 'secrets'] as const) {
        const asked = KINDS[kind].fields.filter((field) => field.place === place).map(({ name }) => name)
        expect({ kind, fields: new Set(asked) }).toEqual({
          kind,
          fields: new Set(Object.keys(CHANNEL_FORMS[kind][place].shape)),
        })
      }
    }
  })

  it('sends lists as lists', () => {
    const start = { ...startOf(channel), addresses: ' a@x.example,\nb@x.example\n\n' }
    expect(fieldsOf(start, false)).toEqual({ settings: { addresses: ['a@x.example', 'b@x.example'] } })
  })

  it('leaves secrets alone that nobody enters again', () => {
    const hook = { ...channel, kind: 'webhook' as const, settings: { format: 'sentry' } }
    expect(fieldsOf(startOf(hook), false)).toEqual({ settings: { format: 'sentry' } })
    expect(problemsOf(startOf(hook), false)).toEqual({})
    expect(problemsOf(startOf(hook), true)).toEqual({ url: 'Webhook address is missing.' })
  })
})
