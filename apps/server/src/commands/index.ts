import type { Command } from './command.ts'
import { doctor } from './doctor.ts'
import { serve } from './serve.ts'
import { setup } from './setup.ts'
import { setupLink } from './setup-link.ts'
import { token } from './token.ts'
import { trustClock } from './trust-clock.ts'
import { user } from './user.ts'

export const COMMANDS = {
  serve,
  setup,
  'setup-link': setupLink,
  doctor,
  'trust-clock': trustClock,
  token,
  user,
} as const satisfies Record<string, Command>

export const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name)

export const help = (): string =>
  [
    'Firsthand: errors and feedback of your users, on your own machine.',
    '',
    'Usage: firsthand <command> [options]',
    '',
    ...Object.values(COMMANDS).flatMap((command: Command) => [
      `  firsthand ${command.usage}`,
      `      ${command.summary}`,
    ]),
    '  firsthand send --dsn DSN [--message TEXT] [--level LEVEL] [--release VERSION] [--environment NAME]',
    '      Sends a test event and says what the server answered.',
    '  firsthand repro REPLAY --base-url URL [--browser FILE] [--event ID] [--live] [--organization SLUG]',
    '      [--output DIR] [--recorded-site] [--storage-state FILE] [--url URL]',
    '      Does in a browser what was done in a replay and says whether its error comes again. The steps come from a visitor',
    '      and are done with what that browser is signed in as (--storage-state).',
    '',
    'A password on the command line stays in the history of the shell, and npx shows it to every user of the machine while',
    'it runs. setup asks for it on a terminal, or takes it from --password-file FILE, from standard input (--password -) or',
    'from FIRSTHAND_PASSWORD.',
    '',
    'Every option of the server is an environment variable too: FIRSTHAND_PORT, FIRSTHAND_HOST, FIRSTHAND_DATA_DIR,',
    'FIRSTHAND_PUBLIC_URL, FIRSTHAND_TRUSTED_PROXIES, FIRSTHAND_POSTGRES_URL, FIRSTHAND_CLICKHOUSE_URL,',
    'FIRSTHAND_S3_URL, FIRSTHAND_SMTP_URL,',
    'FIRSTHAND_ORGANIZATION_BYTES_PER_DAY, FIRSTHAND_OWN_TRACES_SAMPLE_RATE, FIRSTHAND_LOG_LEVEL.',
    '',
  ].join('\n')
