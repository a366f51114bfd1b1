import { text as readText } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { messageOf } from './lib/error-text.ts'
import { askSecret } from './ask-secret.ts'
import { ConfigError, readConfig } from './config.ts'
import type { Command } from './commands/command.ts'
import { COMMANDS, help, isCommand } from './commands/index.ts'
import { LIMITS } from './limits.ts'
import { createStop } from './stop.ts'

/**
 * Entry of the server and of the commands that open its stores. The only file that touches `process`.
 * Exit codes: 0 done, 1 failed (the reason is on standard error), 2 wrong usage.
 */
const [name = 'serve', ...rest] = process.argv.slice(2)

// What Firsthand makes is for the user alone that runs it, whatever the shell or the service manager allows.
process.umask(0o077)

// Everybody on this machine can read the command line of a process. On Linux a title takes its place; the launcher does not
// even pass a password on.
if (rest.some((word) => /^--password(?:=|$)/.test(word))) process.title = `firsthand ${name}`

// Whoever read the output may go before us (`… | head`); that is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const fail = (message: string, code: number): never => {
  process.stderr.write(`firsthand: ${message}\n`)
  process.exit(code)
}

if (name === 'help' || name === '--help' || name === '-h') {
  process.stdout.write(help())
  process.exit(0)
}
if (!isCommand(name)) fail(`there is no command "${name}".\n\n${help()}`, 2)
else {
  const command: Command = COMMANDS[name]
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: command.options,
      allowPositionals: true,
      strict: true,
    })
    const [surplus] = positionals.slice(command.positionals ?? 0)
    if (surplus !== undefined) fail(`${name} does not take "${surplus}".\n\nUsage: firsthand ${command.usage}`, 2)
    const text = (option: string): string | undefined => {
      const value = values[option]
      return typeof value === 'string' ? value : undefined
    }
    const config = readConfig({
      ...process.env,
      ...(text('port') !== undefined && { FIRSTHAND_PORT: text('port') }),
      ...(text('host') !== undefined && { FIRSTHAND_HOST: text('host') }),
      ...(text('data-dir') !== undefined && { FIRSTHAND_DATA_DIR: text('data-dir') }),
    })
    process.exitCode = await command.run({
      config,
      text,
      flag: (option) => values[option] === true,
      positionals,
      out: (line) => process.stdout.write(`${line}\n`),
      err: (line) => process.stderr.write(`${line}\n`),
      environment: (variable) => process.env[variable],
      readInput: () => readText(process.stdin),
      askSecret: (question) => askSecret({ input: process.stdin, output: process.stderr }, question),
      onStop: (stop) => {
        const handler = createStop({
          stop,
          longestMs: LIMITS.STOP_LONGEST_MS,
          end: () => {
            // A thread in a call that nothing interrupts would keep an orderly exit waiting.
            process.kill(process.pid, 'SIGKILL')
            // The first process of a container does not get that signal from itself.
            process.exit(1)
          },
          say: (line) => process.stderr.write(`firsthand: ${line}\n`),
        })
        // Not `once`: the second signal would end the process in the midst of its stopping.
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => handler(signal))
      },
    })
    if (name !== 'serve') process.exit()
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      fail(`${error.message}\n\n${help()}`, 2)
    }
    if (error instanceof ConfigError) fail(error.message, 2)
    fail(messageOf(error), 1)
  }
}
