import { diagnose } from '../diagnose.ts'
import { COMMON_OPTIONS } from './command.ts'
import type { Command } from './command.ts'

export const doctor: Command = {
  summary:
    'Looks at the installation (runtime, disk, stores, versions, a running server) and says what to do about what is wrong.',
  usage: 'doctor [--data-dir ./data] [--json]',
  options: { ...COMMON_OPTIONS, port: { type: 'string' }, json: { type: 'boolean' } },
  run: async ({ config, flag, out }) => {
    const findings = await diagnose(config)
    if (flag('json')) out(JSON.stringify(findings))
    else
      for (const { status, subject, detail } of findings)
        out(`${status === 'ok' ? '✓' : status === 'warning' ? '!' : '✗'} ${subject.padEnd(12)} ${detail}`)
    return findings.some((finding) => finding.status === 'problem') ? 1 : 0
  },
}
