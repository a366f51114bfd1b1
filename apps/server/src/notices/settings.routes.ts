import { getNoticeSettings, resumeOwnMail, updateNoticeSettings } from '@firsthand/contract'
import type { NoticeSettings as SettingsJson } from '@firsthand/contract'
import { badRequest, bind, forbidden, unauthorized, type Caller, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import type { Pauses } from './ledger/pauses.ts'
import type { NoticeSettingsStore } from './ledger/settings.ts'
import { LIMITS } from './limits.ts'
import { isTimeZone } from './local-time.ts'
import { DEFAULT_PACES, type NoticeSettings } from './settings.ts'

/** Only people say what reaches them: a program that was given a token must not silence them. */
const personOf = (caller: Caller | null) => {
  if (caller === null) throw unauthorized()
  if (caller.kind !== 'session') {
    throw forbidden('This call is for people who are signed in: a token does not decide what reaches its maker.')
  }
  return caller.user
}

/** What reaches one, where and when. */
export const createNoticeSettingsRoutes = ({
  settings,
  pauses,
  clock,
  canSendMail,
}: {
  readonly settings: NoticeSettingsStore
  readonly pauses: Pauses
  readonly clock: Clock
  readonly canSendMail: boolean
}): Route[] => [
  bind(getNoticeSettings, async ({ request }) => {
    const user = personOf(request.caller)
    const { settings: own, zone } = await settings.of(user.id)
    const paused = await pauses.of(user.email)
    return {
      body: {
        settings: settingsJson(own),
        defaults: DEFAULT_PACES,
        timezone: zone,
        mail: {
          address: user.email,
          canSend: canSendMail,
          paused: paused === null ? null : { since: toDate(paused.since), reason: paused.reason },
        },
      },
    }
  }),

  bind(updateNoticeSettings, async ({ body, request }) => {
    const user = personOf(request.caller)
    if (body.timezone !== '' && !isTimeZone(body.timezone)) {
      const sentence = `There is no time zone "${body.timezone}": write it like Europe/Berlin.`
      throw badRequest(sentence, { timezone: sentence })
    }
    if (Object.keys(body.projects).length > LIMITS.NOTICE_PROJECTS) {
      const sentence = `At most ${LIMITS.NOTICE_PROJECTS} projects can have settings of their own.`
      throw badRequest(sentence, { projects: sentence })
    }
    const wanted = body as NoticeSettings
    await settings.save(user.id, wanted, clock.now())
    return { body: settingsJson(wanted) }
  }),

  bind(resumeOwnMail, async ({ request }) => {
    await pauses.resume(personOf(request.caller).email)
    return { body: null }
  }),
]

const settingsJson = ({ kinds, projects, timezone, digestMinutes, quiet }: NoticeSettings): SettingsJson => ({
  kinds: { ...kinds },
  projects: { ...projects },
  timezone,
  digestMinutes: digestMinutes === 60 || digestMinutes === 1440 ? digestMinutes : 15,
  quiet: quiet === null ? null : { ...quiet },
})
