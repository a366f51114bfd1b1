import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../apps/server/src/lib/error-text.ts'
import { seedOf } from '../security/lib/random.ts'
import { endServersOnSignal } from './lib/firsthand.ts'
import { clockFaults } from './table/clock.ts'
import {
  copyWhileRunning,
  copyWithoutLinks,
  damagedBlob,
  damagedLedger,
  damagedLedgerWhileRunning,
  damagedSpool,
  damagedTelemetry,
} from './table/damage.ts'
import { diskFull, readOnlyFolder, removedFolder } from './table/disk.ts'
import { halfOpenConnections, hungEngine, killOfEngine, killOfServer, secondServer } from './table/processes.ts'
import type { Fault, FaultRow } from './table/scene.ts'

/**
 * `npm run test:faults`: each fault once, on a server of its own, under load; prints the table. Ends with 1 when something
 * was lost, doubled or not told.
 *
 *     FIRSTHAND_SEED=7   the same choices again
 *     --only=<word>      rows whose name has the word
 *     --write            puts the table into docs/faults-figures.md
 *
 * There is no row for data of an older release: there is no release yet whose data this one could upgrade.
 */
const FAULTS: Readonly<Record<string, Fault>> = {
  killOfServer,
  killOfEngine,
  hungEngine,
  halfOpenConnections,
  secondServer,
  diskFull,
  readOnlyFolder,
  removedFolder,
  damagedLedger,
  damagedLedgerWhileRunning,
  damagedTelemetry,
  damagedSpool,
  damagedBlob,
  copyWhileRunning,
  copyWithoutLinks,
  ...Object.fromEntries(clockFaults.map((fault, index) => [`clock${index}`, fault])),
}

const seed = seedOf()
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length) ?? ''
endServersOnSignal()
process.stdout.write(`Seed ${seed} (FIRSTHAND_SEED repeats it)\n`)

const rows: FaultRow[] = []
for (const [name, fault] of Object.entries(FAULTS)) {
  if (!name.includes(only)) continue
  const row = await fault(seed).catch((error: unknown) => ({
    fault: name,
    reads: '',
    lost: 0,
    doubled: 0,
    recoverSeconds: null,
    wrong: [`the row could not be made: ${messageOf(error).slice(0, 500)}`],
  }))
  rows.push(row)
  process.stdout.write(
    `${row.wrong.length === 0 ? '✓' : '✗'} ${row.fault}\n${row.wrong.map((each) => `    ${each}\n`).join('')}`,
  )
}

/** Paths of the machine and line breaks have no place in a table. */
const cell = (text: string): string =>
  text
    .replaceAll(/\/tmp\/[\w-]+/g, '…')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 400)

const table = [
  '| fault | what one reads | lost | doubled | well again after | holds |',
  '| --- | --- | --- | --- | --- | --- |',
  ...rows.map(
    ({ fault, reads, lost, doubled, recoverSeconds, wrong }) =>
      `| ${fault} | ${cell(reads)} | ${lost} | ${doubled} | ${recoverSeconds === null ? 'people act' : `${recoverSeconds} s`} | ${wrong.length === 0 ? 'yes' : `no: ${cell(wrong.join('; '))}`} |`,
  ),
].join('\n')
process.stdout.write(`\n${table}\n`)

if (process.argv.includes('--write')) {
  const date = new Date().toISOString().slice(0, 10)
  const text = [
    '# Figures: faults',
    '',
    `Written by \`FIRSTHAND_SEED=${seed} npm run test:faults -- --write\` on ${date}. Each fault meets a server of its own under load; "lost" and "doubled" are events that were answered 200, compared with both stores afterwards.`,
    '',
    table,
    '',
    'There is no row for data of an older release: there is none yet whose data could be upgraded.',
  ].join('\n')
  writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'faults-figures.md'), `${text}\n`)
}
process.exitCode = rows.every(({ wrong }) => wrong.length === 0) ? 0 : 1
