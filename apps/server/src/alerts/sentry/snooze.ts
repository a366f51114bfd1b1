import type { RuleSnooze, RuleSnoozeBody } from '@firsthand/contract'
import { badRequest } from '../../http/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { parseInstant } from '../../search/index.ts'
import { actorOf, type AlertRequest, type AlertServices } from '../alerts.routes.ts'
import type { AlertRule } from '../rule.ts'

/** Mutes a rule as Sentry's scripts ask for it. @throws HttpError 400 */
export const snooze = async (
  { clock, rules }: Pick<AlertServices, 'clock' | 'rules'>,
  request: AlertRequest,
  rule: AlertRule,
  body: RuleSnoozeBody,
): Promise<RuleSnooze> => {
  if (body.target === 'me') {
    throw badRequest(
      'An alert is muted for everybody ("target": "everyone"). What reaches you alone is set in your account, under what reaches you.',
    )
  }
  const now = clock.now()
  const until = body.until ? parseInstant(body.until) : Infinity
  if (Number.isNaN(until) || until <= now) throw badRequest('"until" is a time to come: 2030-01-31T10:00:00.')
  await rules.mute(actorOf(request, now), rule.id, until)
  return {
    ruleId: rule.id,
    ownerId: request.caller.user.id,
    userId: 'everyone',
    until: until === Infinity ? 'forever' : toDate(until),
    dateAdded: toDate(now),
  }
}
