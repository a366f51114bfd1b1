import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import { countUnreadable } from '../event/index.ts'
import { createIssueReads, TRANSACTION_OF_EVENT } from '../issues/index.ts'
import { answering } from '../lib/questions.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import { createSpanDays } from './days/span-days.ts'
import { createPersonalSpans } from './erase-spans.ts'
import { createNameRules } from './ledger/name-rules.ts'
import { LIMITS } from './limits.ts'
import { SPAN_CHECK } from './read/otlp-span.ts'
import { createSentryTraceRoutes } from './sentry-trace.routes.ts'
import { DAYS_OF_SPANS } from './telemetry/summed-days.ts'
import type { TraceServices } from './trace-services.ts'
import { createTraceView } from './traces.view.ts'
import { createTraceRoutes } from './traces.routes.ts'
import { findTransactionOfEvent } from './transaction-event.ts'
import { createTransactionNameRoutes } from './transaction-names.routes.ts'
import { createTransactionRoutes } from './transactions.routes.ts'
import { createTransactionView } from './transactions.view.ts'

export const serveTraces = ({ accounts, ask, blobs, client, clock, ledger }: ServerParts): Served => {
  const services: TraceServices = {
    traces: createTraceView({ client }),
    transactions: createTransactionView({ client }),
    issues: createIssueReads({ blobs, client, ledger }).issues,
    projects: livingProjects(ledger),
    clock,
    ask,
  }
  const rules = createNameRules({ ledger, clock })
  const days = createSpanDays({ client, ledger, clock })
  return {
    knows: [
      answering(TRANSACTION_OF_EVENT, findTransactionOfEvent(services.traces)),
      answering(DAYS_OF_SPANS, ({ organizationId, period }) => days.whole(organizationId, period)),
    ],
    retention: { forgetProject: days.forgetProject },
    personal: [createPersonalSpans(client, ledger)],
    exports: {
      otel_traces_data: {
        field: 'rejectedSpans',
        countRejected: (item) => countUnreadable(item, SPAN_CHECK),
        message: 'A span must have a trace id, a span id, a start and an end.',
      },
    },
    routes: [
      ...createTraceRoutes(services),
      ...createSentryTraceRoutes(services),
      ...createTransactionRoutes(services),
      ...createTransactionNameRoutes({ accounts, rules }),
    ],
    jobs: [
      {
        name: 'rules for names that were not used for long',
        everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS,
        byTheClock: true,
        run: rules.forgetOld,
      },
      { name: 'sums of days of spans', everyMs: LIMITS.SPAN_DAYS_INTERVAL_MS, run: days.run },
    ],
  }
}
