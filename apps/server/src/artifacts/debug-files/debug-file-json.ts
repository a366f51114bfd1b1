import type { AssembledDebugFile, DebugFileJson } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import type { FileAnswer } from './assemble-files.ts'
import type { DebugFile } from './ledger/debug-files.ts'

/** With hyphens, and an age behind it, as Sentry's programs write it. */
export const debugIdText = (plain: string): string => {
  const id = plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
  return plain.length > 32 ? `${id.slice(0, 36)}-${id.slice(36)}` : id
}

export const debugFileJson = (file: DebugFile): DebugFileJson => {
  const debugId = file.debug_id === null ? null : debugIdText(file.debug_id)
  return {
    id: String(file.id),
    uuid: debugId ?? '',
    debugId,
    codeId: file.code_id,
    cpuName: file.architecture ?? '',
    objectName: file.name,
    symbolType: file.kind ?? '',
    headers: { 'Content-Type': 'application/octet-stream' },
    size: file.bytes,
    sha1: file.checksum,
    dateCreated: toDate(file.uploaded_at),
    data: { type: file.symbol_type ?? 'none', features: JSON.parse(file.features) as string[] },
    state: file.state,
    detail: file.error,
  }
}

export const answerJson = (answer: FileAnswer): AssembledDebugFile => {
  switch (answer.kind) {
    case 'missing':
      return { state: 'not_found', missingChunks: [...answer.pieces], detail: null, dif: null }
    case 'fault':
      return { state: 'error', missingChunks: [], detail: answer.detail, dif: null }
    case 'there': {
      const { file } = answer
      return {
        state: file.state,
        missingChunks: [],
        detail: file.error,
        dif: file.state === 'ok' ? debugFileJson(file) : null,
      }
    }
  }
}
