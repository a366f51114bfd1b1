import { encodedTable, type EncodedRow } from '../../storage/telemetry/row-writer.ts'
import { flag, line, milliseconds, text } from '../../storage/telemetry/tab-separated.ts'

export const RESULTS = encodedTable({ table: 'check_in_results', id: 'id', idType: 'UInt64', time: 'decided' }, [
  'organization_id',
  'project_id',
  'decided',
  'id',
  'monitor',
  'environment',
  'status',
  'is_late',
  'duration',
  'release',
])

/** How a run ended, with the monitor that it is of. */
export interface DecidedRun {
  readonly id: number
  readonly organizationId: number
  readonly projectId: number
  readonly decidedAt: number
  readonly slug: string
  readonly environment: string
  readonly status: string
  readonly isLate: boolean
  readonly durationMs: number | null
  readonly release: string
}

/** Of a run whose duration is not known. */
const NO_DURATION = -1

export const encodeResult = (run: DecidedRun): EncodedRow => ({
  place: { projectId: run.projectId, id: String(run.id), at: run.decidedAt },
  line: line([
    run.organizationId,
    run.projectId,
    milliseconds(run.decidedAt),
    run.id,
    text(run.slug),
    text(run.environment),
    text(run.status),
    flag(run.isLate),
    run.durationMs ?? NO_DURATION,
    text(run.release),
  ]),
})
