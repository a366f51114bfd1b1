import * as accounts from './accounts.ts'
import * as alertRules from './alert-rules.ts'
import * as alerts from './alerts.ts'
import * as artifacts from './artifacts.ts'
import * as attachments from './attachments.ts'
import * as backfills from './backfills.ts'
import * as channels from './channels.ts'
import * as debugFiles from './debug-files.ts'
import * as compatible from './compatible.ts'
import * as events from './events.ts'
import * as explore from './explore.ts'
import * as feedback from './feedback.ts'
import * as findings from './findings.ts'
import * as issues from './issues.ts'
import * as logs from './logs.ts'
import * as metricAlerts from './metric-alerts.ts'
import * as newerAlerts from './newer-alerts.ts'
import * as monitors from './monitors.ts'
import * as notices from './notices.ts'
import * as organizations from './organizations.ts'
import * as ownership from './ownership.ts'
import * as people from './people.ts'
import * as profiles from './profiles.ts'
import * as projects from './projects.ts'
import * as receipts from './receipts.ts'
import * as releaseHealth from './release-health.ts'
import * as releases from './releases.ts'
import * as repositories from './repositories.ts'
import * as replays from './replays.ts'
import * as sharedReplays from './shared-replays.ts'
import * as savedQueries from './saved-queries.ts'
import * as savedSearches from './saved-searches.ts'
import * as server from './server.ts'
import * as similar from './similar.ts'
import * as statusPages from './status-pages.ts'
import * as trackers from './trackers.ts'
import * as traces from './traces.ts'
import * as transactionNames from './transaction-names.ts'
import * as uptime from './uptime.ts'
import type { Endpoint } from './endpoint.ts'

export * from './accounts.ts'
export * from './alert-rules.ts'
export * from './metric-alerts.ts'
export * from './newer-alerts.ts'
export * from './alerts.ts'
export * from './artifacts.ts'
export * from './attachments.ts'
export * from './debug-files.ts'
export * from './backfills.ts'
export * from './channel-forms.ts'
export * from './channels.ts'
export * from './client.ts'
export * from './common.ts'
export * from './compatible.ts'
export * from './endpoint.ts'
export * from './events.ts'
export * from './explore.ts'
export * from './feedback.ts'
export * from './findings.ts'
export * from './issues.ts'
export * from './logs.ts'
export * from './monitors.ts'
export * from './notices.ts'
export * from './openapi.ts'
export * from './organizations.ts'
export * from './ownership.ts'
export * from './page.ts'
export * from './frame-kinds.ts'
export * from './people.ts'
export * from './profiles.ts'
export * from './projects.ts'
export * from './receipts.ts'
export * from './recorded-page.ts'
export * from './release-health.ts'
export * from './releases.ts'
export * from './repositories.ts'
export * from './replays.ts'
export * from './shared-replays.ts'
export * from './saved-queries.ts'
export * from './saved-searches.ts'
export * from './scopes.ts'
export * from './server.ts'
export * from './similar.ts'
export * from './status-pages.ts'
export * from './tracker-forms.ts'
export * from './trackers.ts'
export * from './traces.ts'
export * from './transaction-names.ts'
export * from './uptime.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'scope' in value

/** Every endpoint of the API by its name. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  [
    accounts,
    artifacts,
    debugFiles,
    organizations,
    projects,
    issues,
    events,
    feedback,
    findings,
    alertRules,
    alerts,
    metricAlerts,
    newerAlerts,
    attachments,
    receipts,
    releaseHealth,
    releases,
    repositories,
    backfills,
    channels,
    compatible,
    savedQueries,
    savedSearches,
    server,
    similar,
    trackers,
    traces,
    transactionNames,
    statusPages,
    uptime,
    explore,
    logs,
    ownership,
    people,
    monitors,
    notices,
    profiles,
    replays,
    sharedReplays,
  ].flatMap((area) => Object.entries(area).filter((pair): pair is [string, Endpoint] => isEndpoint(pair[1]))),
)
