import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { MappingPreparer } from './prepared-mapping.ts'

const PIECE_BYTES = 256 * 1024

const TOO_MANY = `This mapping has more than ${LIMITS.PROGUARD_CLASSES} classes, which is all that is taken.`
const NO_CLASS =
  'This is no mapping of ProGuard or R8: none of its lines names a class (“com.acme.Tea -> a.b:”). Upload the mapping.txt of the build.'

/**
 * Prepares the mapping of one file into another, in a process whose thread nobody else waits for.
 *
 * @param out is not there yet
 */
export const prepareMapping = (
  path: string,
  out: string,
): Result<{ readonly bytes: number; readonly sha256: string }, string> => {
  const from = openSync(path, 'r')
  try {
    const to = openSync(out, 'wx', 0o600)
    try {
      const sum = createHash('sha256')
      let bytes = 0
      const preparer = new MappingPreparer((made) => {
        for (let at = 0; at < made.byteLength;) at += writeSync(to, made, at)
        sum.update(made)
        bytes += made.byteLength
      })
      const piece = Buffer.alloc(PIECE_BYTES)
      for (let read = readSync(from, piece); read > 0; read = readSync(from, piece)) {
        if (!preparer.push(piece.subarray(0, read))) return err(TOO_MANY)
      }
      return preparer.end() ? ok({ bytes, sha256: sum.digest('hex') }) : err(NO_CLASS)
    } finally {
      closeSync(to)
    }
  } finally {
    closeSync(from)
  }
}
