import { finding } from '../../lib/findings.ts'
import type { Findings } from '../../lib/findings.ts'
import { StoreFault } from '../../lib/store-fault.ts'

/** Primary result codes of SQLite: IOERR, CORRUPT, NOTADB. */
const UNREADABLE = new Set([10, 11, 26])

/** The sentence for whoever asked, when the file of the ledger cannot be read; null for any other error. */
export const ledgerFault = (error: unknown): StoreFault | null => {
  const { errcode, cause } = (error ?? {}) as { errcode?: unknown; cause?: unknown }
  if (typeof errcode === 'number' && UNREADABLE.has(errcode & 0xff)) {
    return new StoreFault(
      'The ledger (accounts, projects and what people do in them) is damaged on disk and cannot be read. New events are kept meanwhile. The server’s log says what SQLite found; restore the ledger from a backup.',
      { cause: error },
    )
  }
  return cause === undefined ? null : ledgerFault(cause)
}

/** The same, and tells it to whoever runs the server: until the next start, because nothing says that all of it is whole again. */
export const tellLedgerFaults =
  (findings: Pick<Findings, 'tell'>) =>
  (error: unknown): StoreFault | null => {
    const fault = ledgerFault(error)
    if (fault !== null) {
      findings.tell(
        finding(
          'ledger_damaged',
          'The ledger (accounts, projects and what people do in them) is damaged on disk: what needs the damaged part answers 503, and new events may have to wait. The server’s log says what SQLite found. Stop Firsthand, check the disk, restore the ledger from a backup, and start it again.',
        ),
      )
    }
    return fault
  }
