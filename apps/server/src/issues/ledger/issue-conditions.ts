import { sql } from 'kysely'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { IssueSelection } from '../issues.view.ts'
import { parseShortId } from '../short-id.ts'
import { isWildcard, textOf, toLike, type Pattern } from '../../search/index.ts'
import { type Assignee, type Bookmarker, type IssueCondition, type IssueState } from '../search/index.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'
import { jsonText } from '../../storage/ledger/json-text.ts'
import type { LedgerSchema } from '../../storage/ledger/schema.ts'

/** Compiles what a search says about issues into conditions of the ledger. */

export type IssueExpression = ExpressionBuilder<LedgerSchema, 'issues'>
type Condition = Expression<SqlBool>

export interface ConditionContext {
  readonly dialect: LedgerDialect
  readonly organizationId: number
  readonly userId: number | null
  readonly linkedIds: readonly number[]
}

/** Everything that a page, a count and a bulk change have in common. */
export const selectionConditions = (
  eb: IssueExpression,
  selection: IssueSelection,
  dialect: LedgerDialect,
): Condition[] => {
  const { organizationId, projectIds, allProjects, condition, seen, ids, userId, linkedIds = [] } = selection
  const conditions: Condition[] = [
    eb('issues.organization_id', '=', organizationId),
    eb('issues.deleted_at', 'is', null),
    eb('issues.merged_into_id', 'is', null),
  ]
  const [only] = projectIds
  if (only === undefined) conditions.push(sql<SqlBool>`1 = 0`)
  else if (projectIds.length === 1) conditions.push(eb('issues.project_id', '=', only))
  // The sum keeps the planner on the organisation's index, which has the order of the stream.
  else
    conditions.push(
      sql<SqlBool>`${allProjects ? sql`issues.project_id + 0` : sql`issues.project_id`} IN (${sql.join(projectIds)})`,
    )
  if (seen?.from !== undefined) conditions.push(eb('issues.last_seen', '>=', seen.from))
  if (seen?.to !== undefined) conditions.push(eb('issues.first_seen', '<', seen.to))
  if (ids !== null) conditions.push(amongIds(ids, dialect))
  // Issues may be many: whoever no longer waits for the answer stops the statement here.
  if (condition !== null && dialect === 'sqlite') conditions.push(sql<SqlBool>`in_time(issues.id)`)
  if (condition !== null) conditions.push(compile(eb, condition, { dialect, organizationId, userId, linkedIds }))
  return conditions
}

/** One parameter for any number of ids. */
const amongIds = (ids: readonly number[], dialect: LedgerDialect): Condition =>
  dialect === 'sqlite'
    ? sql<SqlBool>`issues.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    : sql<SqlBool>`issues.id = ANY(${[...ids]}::bigint[])`

const compile = (eb: IssueExpression, condition: IssueCondition, context: ConditionContext): Condition => {
  switch (condition.kind) {
    case 'and':
      return eb.and(condition.children.map((child) => compile(eb, child, context)))
    case 'or':
      return eb.or(condition.children.map((child) => compile(eb, child, context)))
    case 'not':
      // `NOT NULL` is unknown: an issue without the value must match.
      return sql<SqlBool>`NOT coalesce(${compile(eb, condition.child, context)}, ${context.dialect === 'sqlite' ? sql`0` : sql`false`})`
    case 'is':
      return compileState(eb, condition.what, context)
    case 'assigned':
      return compileAssignee(eb, condition.to, context)
    case 'bookmarked':
      return compileMark(eb, 'is_bookmarked', condition.by, context)
    case 'subscribed':
      return compileMark(eb, 'is_subscribed', condition.by, context)
    case 'shortId':
      return compileShortIds(eb, condition.values, context)
    case 'id':
      return eb('issues.id', condition.operator, condition.value)
    case 'project':
      return eb(
        'issues.project_id',
        'in',
        eb
          .selectFrom('projects')
          .select('projects.id')
          .where('projects.organization_id', '=', context.organizationId)
          .where('projects.slug', 'in', [...condition.slugs]),
      )
    case 'count':
      return eb('issues.times_seen', condition.operator, condition.value)
    case 'time': {
      const { from, to } = condition.range
      const column = `issues.${condition.column}` as const
      return eb.and([
        ...(from === undefined ? [] : [eb(column, '>=', from)]),
        ...(to === undefined ? [] : [eb(column, '<', to)]),
      ])
    }
    case 'text': {
      const column = `issues.${condition.column}` as const
      if (!isWildcard(condition.value))
        return sql<SqlBool>`coalesce(${eb.ref(column)}, '') = ${textOf(condition.value)}`
      return sql<SqlBool>`${eb.ref(column)} LIKE ${toLike(condition.value)} ESCAPE '\\'`
    }
    case 'inRelease':
      return condition.what === 'regressed'
        ? compileRegressed(eb, condition.release, context)
        : eb.and([
            eb('issues.status', '=', 'resolved'),
            matches(jsonText('issues.status_details', 'inRelease', context.dialect), condition.release),
          ])
  }
}

/** The type stands in the text: only then is the index of regressions used. */
const compileRegressed = (
  eb: IssueExpression,
  release: Pattern,
  { dialect, organizationId }: ConditionContext,
): Condition =>
  eb(
    'issues.id',
    'in',
    eb
      .selectFrom('issue_activity')
      .select('issue_activity.issue_id')
      .where(sql<SqlBool>`issue_activity.type = 'set_regression'`)
      .where(
        'issue_activity.project_id',
        'in',
        eb.selectFrom('projects').select('projects.id').where('projects.organization_id', '=', organizationId),
      )
      .where(matches(jsonText('issue_activity.data', 'version', dialect), release)),
  )

const matches = (text: Expression<string>, value: Pattern): Condition =>
  isWildcard(value) ? sql<SqlBool>`${text} LIKE ${toLike(value)} ESCAPE '\\'` : sql<SqlBool>`${text} = ${textOf(value)}`

const compileState = (eb: IssueExpression, state: IssueState, { dialect, linkedIds }: ConditionContext): Condition => {
  switch (state) {
    case 'unresolved':
    case 'resolved':
      return eb('issues.status', '=', state)
    case 'archived':
    case 'ignored':
      return eb('issues.status', '=', 'ignored')
    case 'assigned':
      return eb.or([eb('issues.assigned_user_id', 'is not', null), eb('issues.assigned_team_id', 'is not', null)])
    case 'unassigned':
      return eb.and([eb('issues.assigned_user_id', 'is', null), eb('issues.assigned_team_id', 'is', null)])
    case 'for_review':
      return eb.and([
        eb('issues.status', '=', 'unresolved'),
        eb('issues.substatus', 'in', ['new', 'regressed', 'escalating']),
      ])
    case 'new':
    case 'ongoing':
    case 'regressed':
    case 'escalating':
      return eb.and([eb('issues.status', '=', 'unresolved'), eb('issues.substatus', '=', state)])
    case 'archived_until_escalating':
    case 'archived_until_condition_met':
    case 'archived_forever':
      return eb('issues.substatus', '=', state)
    case 'unhandled':
      return eb('issues.is_unhandled', '=', 1)
    case 'handled':
      return eb('issues.is_unhandled', '=', 0)
    case 'linked':
      return amongIds(linkedIds, dialect)
    case 'unlinked':
      return eb.not(amongIds(linkedIds, dialect))
  }
}

const compileAssignee = (eb: IssueExpression, to: Assignee, context: ConditionContext): Condition => {
  const { organizationId, userId } = context
  switch (to.kind) {
    case 'none':
      return compileState(eb, 'unassigned', context)
    case 'me':
      return eb('issues.assigned_user_id', '=', userId ?? -1)
    case 'my_teams':
      return eb(
        'issues.assigned_team_id',
        'in',
        eb
          .selectFrom('team_members')
          .innerJoin('members', 'members.id', 'team_members.member_id')
          .select('team_members.team_id')
          .where('members.user_id', '=', userId ?? -1)
          .where('members.organization_id', '=', organizationId),
      )
    case 'team':
      return eb(
        'issues.assigned_team_id',
        'in',
        eb
          .selectFrom('teams')
          .select('teams.id')
          .where('teams.organization_id', '=', organizationId)
          .where('teams.slug', '=', to.slug),
      )
    case 'user':
      return eb(
        'issues.assigned_user_id',
        'in',
        eb.selectFrom('users').select('users.id').where('users.email', '=', to.email),
      )
  }
}

const compileMark = (
  eb: IssueExpression,
  mark: 'is_bookmarked' | 'is_subscribed',
  by: Bookmarker,
  { userId }: ConditionContext,
): Condition =>
  eb(
    'issues.id',
    'in',
    eb
      .selectFrom('issue_marks')
      .innerJoin('users', 'users.id', 'issue_marks.user_id')
      .select('issue_marks.issue_id')
      .where(`issue_marks.${mark}`, '=', 1)
      .where((where) =>
        by.kind === 'me' ? where('users.id', '=', userId ?? -1) : where('users.email', '=', by.email),
      ),
  )

const compileShortIds = (
  eb: IssueExpression,
  values: readonly string[],
  { organizationId }: ConditionContext,
): Condition =>
  eb.or(
    values.map((value) => {
      const shortId = parseShortId(value)
      if (shortId === null) return sql<SqlBool>`1 = 0`
      return eb.and([
        eb('issues.number', '=', shortId.number),
        eb(
          'issues.project_id',
          'in',
          eb
            .selectFrom('projects')
            .select('projects.id')
            .where('projects.organization_id', '=', organizationId)
            .where('projects.slug', '=', shortId.projectSlug),
        ),
      ])
    }),
  )
