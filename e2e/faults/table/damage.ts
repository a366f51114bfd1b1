import { closeSync, openSync, readdirSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../../security/lib/random.ts'
import { until } from '../../lib/until.ts'
import { copyWith } from '../lib/copy.ts'
import { freePort, freshFolder, removeFolder, startFirsthand, statusOf } from '../lib/firsthand.ts'
import { readStored, telemetryRows } from '../lib/stores.ts'
import { inScene, Scene } from './scene.ts'
import type { Fault, FaultRow } from './scene.ts'

/** A part of each store is damaged, and copies of the data folder that are not what they seem. */

/** The server looks for parts that the engine set aside once a minute. */
const SET_ASIDE_TOLD_MS = 100_000

const filesIn = (folder: string, wanted: (name: string) => boolean): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(wanted)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size > 0)

/** Writes noise over a stretch of the file. */
const overwrite = (path: string, at: number, length: number, seed: number): void => {
  const random = createRandom(seed)
  const noise = Buffer.from(Array.from({ length }, () => random.below(256)))
  const file = openSync(path, 'r+')
  try {
    writeSync(file, noise, 0, length, at)
  } finally {
    closeSync(file)
  }
}

const told = (scene: Scene, fault: string, reads: string): FaultRow => ({
  fault,
  reads,
  lost: 0,
  doubled: 0,
  recoverSeconds: null,
  wrong: scene.wrong,
})

export const damagedLedger: Fault = (seed) =>
  inScene(async (scene) => {
    await scene.load(100)
    await scene.settle()
    await scene.stop()
    const path = join(scene.dataDir, 'ledger.sqlite')
    overwrite(path, 4096, Math.min(65_536, statSync(path).size - 4096), seed)
    const reads = await Scene.refusedStart(scene.dataDir, scene.server.port)
    if (reads === null || !/damaged/.test(reads)) scene.wrong.push(`the start says "${reads ?? 'nothing: it runs'}"`)
    return told(scene, 'pages of the ledger are overwritten, then a start', reads ?? '')
  })

export const damagedLedgerWhileRunning: Fault = (seed) =>
  inScene(async (scene) => {
    await scene.load(100)
    await scene.settle()
    const path = join(scene.dataDir, 'ledger.sqlite')
    overwrite(path, 0, statSync(path).size, seed)
    const reads = await scene.awaitStatus(/ledger.*(damaged|was replaced)/i, 30_000)
    return told(scene, 'the ledger is overwritten while it runs', reads)
  })

export const damagedTelemetry: Fault = () =>
  inScene(async (scene) => {
    await scene.load(300)
    await scene.settle()
    const [part] = await telemetryRows<{ name: string; path: string }>(
      scene.server,
      `SELECT name, path FROM system.parts WHERE active AND table = 'events' ORDER BY rows DESC LIMIT 1`,
    )
    if (part === undefined) throw new Error('the telemetry has no part with events')
    const [event] = await telemetryRows<{ id: string }>(
      scene.server,
      `SELECT replaceAll(toString(event_id), '-', '') AS id FROM events WHERE _part = '${part.name}' LIMIT 1`,
    )
    await scene.stop()
    const files = filesIn(part.path, (name) => name.endsWith('.bin'))
    if (files.length === 0) throw new Error(`the part ${part.path} has no files`)
    for (const path of files) truncateSync(path, Math.floor(statSync(path).size / 2))
    await scene.restart()
    // The folder of a part that was merged before the engine ended stays for a while, but nobody reads it any more.
    const stillRead = await telemetryRows(
      scene.server,
      `SELECT name FROM system.parts WHERE active AND table = 'events' AND name = '${part.name}'`,
    )
    if (stillRead.length === 0)
      throw new Error(
        `the part ${part.name} is not in use after the start, so nobody can read what was damaged: run it again`,
      )
    // Told before anybody meets it.
    const status = await scene.awaitStatus(/damaged|cannot be read/i, SET_ASIDE_TOLD_MS)
    const doctor = await scene.doctor()
    if (!/damaged|cannot be read/i.test(doctor)) scene.wrong.push(`doctor does not tell it: "${doctor}"`)
    const list = await scene.get(
      `/api/0/organizations/${scene.account.organization}/events/?field=message&field=transaction&statsPeriod=24h`,
    )
    if (list.status === 500) scene.wrong.push(`a read is answered 500: ${list.text.slice(0, 200)}`)
    const { organization, project } = scene.account
    const cut = await scene.get(`/api/0/projects/${organization}/${project}/events/${event?.id ?? ''}/`)
    if (cut.status !== 503)
      scene.wrong.push(`an event of the part is answered ${cut.status}: ${cut.text.slice(0, 200)}`)
    return told(scene, 'a part of the telemetry is truncated', status)
  })

export const damagedSpool: Fault = (seed) =>
  inScene(async (scene) => {
    await scene.load(50)
    await scene.settle()
    // What is accepted while the engine hangs stays in the spool.
    const engine = scene.server.enginePid()
    if (engine === null) throw new Error('the server has no engine')
    process.kill(engine, 'SIGSTOP')
    await scene.load(200)
    await scene.server.killAll()
    const [segment] = filesIn(join(scene.dataDir, 'spool'), () => true).toSorted(
      (one, other) => statSync(other).size - statSync(one).size,
    )
    if (segment === undefined) throw new Error('the spool has no segment')
    overwrite(segment, Math.floor(statSync(segment).size * 0.75), 64, seed)
    await scene.restart()
    await scene.settle()
    const receipts = await telemetryRows<{ n: string; items: string }>(
      scene.server,
      `SELECT sum(quantity) AS n, arrayStringConcat(groupUniqArray(item_type), ', ') AS items FROM outcomes WHERE reason = 'damaged_on_disk'`,
    )
    const counted = Number(receipts[0]?.n ?? 0)
    const stored = await readStored(scene.server)
    const events = [...scene.sent.acknowledged.values()].filter(({ cargo }) => cargo === 'event')
    const lost = events.filter(({ id }) => !stored.telemetry.has(id)).length
    if (lost > counted) scene.wrong.push(`${lost} are gone, but receipts tell of ${counted}`)
    if (counted === 0) scene.wrong.push('no receipt tells of the damage')
    return {
      fault: 'a record of the spool is overwritten',
      reads: `receipts: invalid, damaged_on_disk, ${counted} (${receipts[0]?.items ?? ''})`,
      lost,
      doubled: [...stored.telemetry.values()].filter((copies) => copies > 1).length,
      recoverSeconds: 0,
      wrong: scene.wrong,
    }
  })

export const damagedBlob: Fault = (seed) =>
  inScene(async (scene) => {
    await scene.load(200)
    await scene.settle()
    const blobs = filesIn(join(scene.dataDir, 'blobs'), () => true)
    if (blobs.length === 0) throw new Error('there is no blob')
    for (const blob of blobs) overwrite(blob, 0, 64, seed)
    const kept = await telemetryRows<{ event_id: string }>(
      scene.server,
      `SELECT event_id FROM kept_items WHERE item_type = 'attachment' AND blob_key != '' LIMIT 1`,
    )
    const base = `/api/0/projects/${scene.account.organization}/${scene.account.project}/events/${kept[0]?.event_id ?? ''}/attachments/`
    const files = JSON.parse((await scene.get(base)).text) as { id: string }[]
    const answer = await scene.get(`${base}${files[0]?.id ?? ''}/?download=1`)
    const reads = `${answer.status} ${answer.text.slice(0, 160)}`
    if (answer.status === 200) scene.wrong.push('damaged bytes are handed out as if they were whole')
    if (answer.status === 500) scene.wrong.push('the answer is 500')
    return told(scene, 'a file in the blob store is overwritten', reads.replaceAll(/[^\x20-\x7e]/g, '.'))
  })

/** Starts on the copy. What is missing of it must be told. */
const judgeCopy = async (scene: Scene, fault: string, copy: string): Promise<FaultRow> => {
  const port = await freePort()
  const server = await startFirsthand({ dataDir: copy, port }).catch((error: unknown) => String(error))
  if (typeof server === 'string') {
    const reads = /firsthand: ([^\n]*)/.exec(server)?.[1] ?? server.slice(0, 300)
    if (!server.includes('firsthand: ')) scene.wrong.push('the start ends without a sentence')
    return told(scene, fault, reads)
  }
  const original = scene.server
  scene.server = server
  try {
    // The batch that was under way at the copy is repeated first.
    const isDone = async () => ((await statusOf(server.port, scene.account)).spool.backlogBytes === 0 ? true : null)
    await until('an empty backlog', isDone)
    const stored = await readStored(server)
    const unreadable = [...stored.ledger.keys()].filter((id) => !stored.telemetry.has(id)).length
    const reads = unreadable === 0 ? await scene.status() : await scene.awaitStatus(/\S/, 20_000)
    if (unreadable > 0 && reads === '') scene.wrong.push(`${unreadable} events of the ledger are missing in silence`)
    const share = `${unreadable} of ${stored.ledger.size} events of the ledger are not in the telemetry`
    return told(scene, fault, reads === '' ? `(nothing) ${share}` : `${reads} — ${share}`)
  } finally {
    await server.killAll()
    scene.server = original
  }
}

export const copyWhileRunning: Fault = () =>
  inScene(async (scene) => {
    const copy = freshFolder()
    try {
      await scene.load(1500, () => {
        copyWith('-a', [`${scene.dataDir}/.`], copy)
        return Promise.resolve()
      })
      return await judgeCopy(scene, 'the data folder is copied while the server runs; a start on the copy', copy)
    } finally {
      removeFolder(copy)
    }
  })

export const copyWithoutLinks: Fault = () =>
  inScene(async (scene) => {
    const copy = freshFolder()
    try {
      await scene.load(300)
      await scene.settle()
      await scene.stop()
      copyWith('-rL', [`${scene.dataDir}/.`], copy)
      return await judgeCopy(scene, 'a copy that followed symbolic links; a start on it', copy)
    } finally {
      removeFolder(copy)
    }
  })
