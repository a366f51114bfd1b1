import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import { countUnreadable } from '../event/index.ts'
import { answering } from '../lib/questions.ts'
import { isPersonInAttributes } from '../search/index.ts'
import { personalRows } from '../storage/index.ts'
import { COUNT_LOGS_OF_TRACE, LOGS_OF_TRACE } from '../traces/index.ts'
import { createLogRoutes } from './logs.routes.ts'
import { createLogView } from './logs.view.ts'
import { formatLogId } from './place.ts'
import { LOG_CHECK } from './read/otlp-log.ts'

export const serveLogs = ({ client, clock, ledger }: ServerParts): Served => {
  const logs = createLogView({ client })
  return {
    routes: createLogRoutes({ logs, projects: livingProjects(ledger), clock }),
    exports: {
      otel_log: {
        field: 'rejectedLogRecords',
        countRejected: (item) => countUnreadable(item, LOG_CHECK),
        message: 'A log record must have a body, attributes or an event name.',
      },
    },
    personal: [
      personalRows(client, {
        what: 'logs',
        counted: [['logs', 'count()']],
        named: (_, names) => isPersonInAttributes('user', names),
      }),
    ],
    knows: [
      answering(LOGS_OF_TRACE, async ({ limit, traceId, ...scope }) => {
        const lines = await logs.ofTrace(scope, traceId, limit)
        return lines.map(({ at, body, id, level, projectId, spanId }) => ({
          id: formatLogId({ at, id }),
          timestamp: at,
          projectId,
          level,
          body,
          spanId,
        }))
      }),
      answering(COUNT_LOGS_OF_TRACE, ({ traceId, ...scope }) => logs.countOfTrace(scope, traceId)),
    ],
  }
}
