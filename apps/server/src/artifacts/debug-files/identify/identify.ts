import { err, ok, type Result } from '../../../lib/result.ts'
import { BREAKPAD_MAGIC, identifyBreakpad } from './breakpad.ts'
import { identifyElf } from './elf.ts'
import type { FileBytes } from './file-bytes.ts'
import type { FileFault, Identity } from './identity.ts'
import { identifyMachO, MACHO_MAGICS, UNIVERSAL_MAGICS } from './macho.ts'
import { identifyPdb, identifyPortablePdb, PDB_MAGIC, PORTABLE_MAGIC } from './pdb.ts'
import { identifyPe } from './pe.ts'

const UNKNOWN =
  'This is none of the debug files that are taken: ELF, Mach-O (dSYM), PE, PDB, portable PDB, Breakpad symbols, mappings of ProGuard or R8, and bundles of sources.'

const UNIVERSAL =
  'This file holds the code of several architectures. Upload it with “sentry-cli debug-files upload”, which sends each of them by itself.'

/** `/proguard/{uuid}.txt`, as sentry-cli calls a mapping, whose text says nothing of its id. */
export const idInName = (name: string): string | null =>
  /(?:^|\/)proguard\/([0-9a-f-]{32,36})\.txt$/i.exec(name)?.[1] ?? null

/**
 * What a file is by its first bytes, and what it says of itself.
 *
 * @param saidId the id that whoever uploaded it says it has; plain, '' for none
 */
export const identify = async (
  file: FileBytes,
  { name, saidId }: { readonly name: string; readonly saidId: string },
): Promise<Result<Identity, FileFault>> => {
  if (idInName(name) !== null && saidId !== '') return ok(mappingOf(saidId))
  const begin = (await file.read(0, Math.min(file.size, 64))) ?? Buffer.alloc(0)
  const text = begin.toString('latin1')
  const magic = begin.length < 4 ? 0 : begin.readUInt32LE(0)
  if (text.startsWith('\x7fELF')) return identifyElf(file)
  if (MACHO_MAGICS.has(magic)) return identifyMachO(file)
  if (begin.length >= 4 && UNIVERSAL_MAGICS.has(begin.readUInt32BE(0))) return err(UNIVERSAL)
  if (text.startsWith('MZ')) return identifyPe(file)
  if (text.startsWith(PDB_MAGIC)) return identifyPdb(file)
  if (text.startsWith(PORTABLE_MAGIC)) return identifyPortablePdb(file)
  if (text.startsWith(BREAKPAD_MAGIC)) return identifyBreakpad(file)
  if (text.startsWith('SYSB') || text.startsWith('PK\x03\x04')) return sourcesOf(saidId)
  return err(UNKNOWN)
}

const mappingOf = (debugId: string): Identity => ({
  kind: 'proguard',
  symbolType: 'none',
  architecture: 'any',
  debugId,
  codeId: null,
  features: ['mapping'],
})

/** Its list of files, which has an id as well, is not unpacked: it is kept for those who download it. */
const sourcesOf = (saidId: string): Result<Identity, FileFault> =>
  saidId === ''
    ? err('This archive names no debug id that it belongs to. Upload it with “sentry-cli debug-files upload”.')
    : ok({
        kind: 'sourcebundle',
        symbolType: 'src',
        architecture: 'any',
        debugId: saidId,
        codeId: null,
        features: ['sources'],
      })
