import type { CallAs } from './colleague.ts'

/**
 * Takes away the alert that every organisation begins with: by it owners hear of whatever a test sends.
 *
 * @param organization its path, e.g. `/organizations/acme`
 */
export const withoutAlerts = async (call: CallAs, organization: string): Promise<void> => {
  const alerts = await call<{ id: string }[]>('GET', `${organization}/alerts/`)
  for (const { id } of alerts) await call('DELETE', `${organization}/alerts/${id}/`)
}
