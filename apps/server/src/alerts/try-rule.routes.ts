import { testAlert } from '@firsthand/contract'
import { bind, type Route } from '../http/index.ts'
import { findRule, type AlertServices } from './alerts.routes.ts'
import { createTryRule, type TryParts } from './try-rule.ts'

export const createTryRuleRoute = (services: AlertServices, parts: TryParts): Route => {
  const tryRule = createTryRule(parts)
  return bind(testAlert, async ({ params, request }) => {
    const rule = await findRule(services, request, params.alert)
    const { email, name } = request.caller.user
    return { body: { results: await tryRule(rule, request.organization, { name, email }) } }
  })
}
