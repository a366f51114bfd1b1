import type { Config } from './config.ts'
import { finding } from './lib/findings.ts'
import type { Finding } from './lib/findings.ts'

/**
 * What works, and not as whoever configured it may think. Known at the start and the same until the next one; for the
 * people who run the server, in its log, in the API's status for admins and owners, in their banner, and in `doctor`.
 *
 * @param url what links begin with
 */
export const adviceOn = (config: Pick<Config, 'publicUrl' | 'smtpUrl'>, url: string): Omit<Finding, 'since'>[] =>
  config.smtpUrl !== null && config.publicUrl === null
    ? [
        finding(
          'public_url',
          `FIRSTHAND_PUBLIC_URL is not set, so the links in mails begin with ${url}, where recipients will probably not reach this server. Set it to the address under which people reach this server, and restart it.`,
        ),
      ]
    : []

/**
 * The same about tokens that anybody may have made, who is gone since: it goes with the last of them.
 *
 * @param tokens how many there are whose maker is not known
 */
export const adviceOnTokens = (tokens: number): Omit<Finding, 'since'>[] =>
  tokens === 0
    ? []
    : [
        finding(
          'token_makers',
          `API tokens from before Firsthand recorded who makes them: ${tokens}. Each belongs to an owner of its organisation now. Look through them in Settings → API tokens and revoke those that nobody knows.`,
        ),
      ]
