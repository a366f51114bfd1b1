import { err, ok, type Result } from '../../../lib/result.ts'
import { plainDebugId } from '../../debug-id.ts'
import type { FileBytes } from './file-bytes.ts'
import type { FileFault, Identity } from './identity.ts'

/** Symbols as text, as Breakpad's tools write them. */

export const BREAKPAD_MAGIC = 'MODULE '

/** `MODULE Linux x86_64 492E2DD23CC306CA9C494EEF1533A3810 crash` */
const FIRST = /^MODULE ([^ ]{1,64}) ([^ ]{1,64}) ([0-9A-Fa-f]{32,40}) ([^\r\n]*)/
const CODE = /^INFO CODE_ID ([0-9A-Fa-f]{1,80})(?: |\r?$)/m

const FIRST_BYTES = 64 * 1024

export const identifyBreakpad = async (file: FileBytes): Promise<Result<Identity, FileFault>> => {
  const begin = (await file.read(0, Math.min(file.size, FIRST_BYTES)))?.toString('utf8') ?? ''
  const [, , architecture, id] = FIRST.exec(begin) ?? []
  const debugId = plainDebugId(id)
  if (architecture === undefined || debugId === null) {
    return err(
      'This file begins as the symbols of Breakpad, and its first line is not “MODULE system architecture id name”. Write it anew with dump_syms.',
    )
  }
  const has = (record: string): boolean => begin.includes(`\n${record} `)
  return ok({
    kind: 'breakpad',
    symbolType: 'dbg',
    architecture,
    debugId,
    codeId: CODE.exec(begin)?.[1]?.toLowerCase() ?? null,
    features: [
      ...(has('PUBLIC') ? ['symtab'] : []),
      ...(has('FUNC') || has('FILE') ? ['debug'] : []),
      ...(has('STACK') ? ['unwind'] : []),
    ],
  })
}
