import type { AssembledDebugFile, DebugFileJson } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import type { FileAnswer } from './assemble-files.ts'
import { debugIdText } from './debug-id-text.ts'
import type { DebugFile } from './ledger/debug-files.ts'

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
