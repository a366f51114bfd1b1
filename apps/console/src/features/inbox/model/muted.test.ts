import type { NoticeSettings } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { muted } from './muted.ts'

it('a kind that is muted is muted in projects with settings of their own, too', () => {
  const settings: NoticeSettings = {
    kinds: {},
    projects: { '1': { new: { mail: 'now' }, reply: { mail: 'never' } }, '2': { reply: { inbox: 'now' } } },
    timezone: '',
    digestMinutes: 15,
    quiet: null,
  }
  const silent = { inbox: 'never', mail: 'never' }
  expect(muted(settings, 'new')).toEqual({
    ...settings,
    kinds: { new: silent },
    projects: { '1': { new: silent, reply: { mail: 'never' } }, '2': { reply: { inbox: 'now' } } },
  })
})
