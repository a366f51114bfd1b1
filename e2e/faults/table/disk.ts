import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../apps/server/src/lib/error-text.ts'
import { LIMITS } from '../../../apps/server/src/ingest/limits.ts'
import { until } from '../../lib/until.ts'
import { freshFolder, removeFolder } from '../lib/firsthand.ts'
import { post } from '../lib/send.ts'
import { inScene, Scene } from './scene.ts'
import type { Fault, FaultRow } from './scene.ts'

/** A volume of its own, which is full, read-only or gone. Mounting one takes root on Linux. */

const MEBIBYTE = 2 ** 20
const VOLUME_BYTES = LIMITS.DISK_RESERVE_BYTES + 128 * MEBIBYTE

const onVolume = async (
  fault: string,
  work: (scene: Scene, volume: string) => Promise<FaultRow>,
): Promise<FaultRow> => {
  const volume = freshFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${VOLUME_BYTES}`, 'tmpfs', volume], { stdio: 'pipe' })
  } catch (error) {
    removeFolder(volume)
    const reason = messageOf(error).trim()
    return {
      fault,
      reads: '',
      lost: 0,
      doubled: 0,
      recoverSeconds: null,
      wrong: [`no volume can be mounted: ${reason}`],
    }
  }
  try {
    const dataDir = join(volume, 'data')
    mkdirSync(dataDir)
    return await inScene((scene) => work(scene, volume), { dataDir })
  } finally {
    execFileSync('umount', ['-l', volume])
    removeFolder(volume)
  }
}

/** Sends probes until one is refused with 503. @returns its detail */
const refusal = async (scene: Scene): Promise<string> => {
  const path = `/api/${scene.account.projectId}/envelope/?sentry_key=${new URL(scene.account.dsn).username}`
  return until('a refusal with 503', async () => {
    const answer = await post(scene.server.port, path, 'no envelope')
    return answer.status === 503 ? answer.text : null
  }).catch(() => {
    scene.wrong.push('events are not refused with 503')
    return ''
  })
}

const takeAll = (volume: string, ballast: string): void => {
  const file = openSync(ballast, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    while (statfsSync(volume).bavail > 0) writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

export const diskFull: Fault = () =>
  onVolume('the disk is full to the last byte', async (scene, volume) => {
    const ballast = join(volume, 'ballast')
    await scene.load(150, () => {
      takeAll(volume, ballast)
      return Promise.resolve()
    })
    await refusal(scene)
    const reads = await scene.awaitStatus(/disk is full/)
    rmSync(ballast)
    const seconds = await scene.secondsUntilWell()
    await scene.settle()
    return scene.row('the disk is full to the last byte', reads, seconds)
  })

export const readOnlyFolder: Fault = () =>
  onVolume('a start on a read-only data folder', async (scene, volume) => {
    await scene.load(100)
    await scene.settle()
    await scene.stop()
    execFileSync('mount', ['-o', 'remount,ro', volume], { stdio: 'pipe' })
    const reads = await Scene.refusedStart(scene.dataDir, scene.server.port)
    if (reads === null || !/data folder .* (cannot be written|mounted for reading only)/.test(reads)) {
      scene.wrong.push(`the start says "${reads ?? 'nothing: it runs'}"`)
    }
    execFileSync('mount', ['-o', 'remount,rw', volume], { stdio: 'pipe' })
    await scene.restart()
    const seconds = await scene.secondsUntilWell()
    await scene.settle()
    return scene.row('a start on a read-only data folder; then it is writable again', reads ?? '', seconds)
  })

export const removedFolder: Fault = () =>
  inScene(async (scene) => {
    await scene.load(100)
    await scene.settle()
    const aside = `${scene.dataDir}-aside`
    renameSync(scene.dataDir, aside)
    try {
      await refusal(scene)
      const reads = await scene.awaitStatus(/data folder|ledger .* was replaced/i, 20_000)
      return {
        fault: 'the data folder is removed while it runs',
        reads,
        lost: 0,
        doubled: 0,
        recoverSeconds: null,
        wrong: scene.wrong,
      }
    } finally {
      removeFolder(aside)
    }
  })
