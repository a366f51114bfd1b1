import {
  getIssueTelling,
  deleteIssueTelling,
  linkFeedbackIssue,
  listFeedback,
  listIssueReports,
  replyToFeedback,
  updateIssueTelling,
  type Telling,
} from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { issueKeys } from '../../issues/model/index.ts'

const REPORTS_PAGE = 25
const LINKABLE = 10

export const saidQuery = (org: string, issue: string) =>
  infiniteQueryOptions({
    queryKey: [...issueKeys.page(org, issue), 'said'],
    queryFn: ({ pageParam, signal }) =>
      api.page(listIssueReports, {
        params: { org, issue },
        query: { limit: REPORTS_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })

/** @param namesRelease the usual texts as they are when a release is named */
export const tellingQuery = (org: string, issue: string, namesRelease = false) =>
  queryOptions({
    queryKey: [...issueKeys.page(org, issue), 'telling', namesRelease],
    queryFn: ({ signal }) => api.call(getIssueTelling, { params: { org, issue }, query: { namesRelease }, signal }),
    placeholderData: keepPreviousData,
  })

/** Reports of a project that have all these words, to link one. */
export const linkableReportsQuery = (org: string, project: string, text: string) =>
  queryOptions({
    queryKey: [...issueKeys.lists(org), 'linkable-reports', project, text],
    queryFn: ({ signal }) =>
      api.call(listFeedback, {
        params: { org },
        query: { query: text, project: [project], mailbox: 'all', sort: 'date', limit: LINKABLE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const linkReport = (org: string, feedback: string, issue: string | null) =>
  api.call(linkFeedbackIssue, { params: { org, feedback }, body: { issue } })

export const sendReply = (org: string, feedback: string, text: string) =>
  api.call(replyToFeedback, { params: { org, feedback }, body: { text } })

export const changeTelling = (org: string, issue: string, telling: Telling) =>
  api.call(updateIssueTelling, { params: { org, issue }, body: telling })

export const cancelTelling = (org: string, issue: string) => api.call(deleteIssueTelling, { params: { org, issue } })
