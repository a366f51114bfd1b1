import type { Command } from './command.ts'
import { doctor } from './doctor.ts'
import { serve } from './serve.ts'
import { setup } from './setup.ts'
import { token } from './token.ts'
import { user } from './user.ts'

export const COMMANDS = { serve, setup, doctor, token, user } as const satisfies Record<string, Command>

export const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name)

export const help = (): string =>
  [
    'Firsthand: errors, slowness, replays and feedback of your users, on your own machine.',
    '',
    'Usage: firsthand <command> [options]',
    '',
    ...Object.values(COMMANDS).flatMap((command: Command) => [
      `  firsthand ${command.usage}`,
      `      ${command.summary}`,
    ]),
    '  firsthand send --dsn DSN [--message TEXT] [--level LEVEL] [--release VERSION] [--environment NAME]',
    '      Sends a test event and says what the server answered.',
    '',
    'Every option of the server is an environment variable too: FIRSTHAND_PORT, FIRSTHAND_HOST, FIRSTHAND_DATA_DIR,',
    'FIRSTHAND_PUBLIC_URL, FIRSTHAND_TRUSTED_PROXIES, FIRSTHAND_POSTGRES_URL, FIRSTHAND_CLICKHOUSE_URL,',
    'FIRSTHAND_S3_URL, FIRSTHAND_SMTP_URL, FIRSTHAND_LOG_LEVEL.',
    '',
  ].join('\n')
