/** @module Examinations: a strategy through scenarios of markets, orders, runs, parameters and code. */
export { describeExam, describeFindings, type ExamDocument, examDocument, passedOf } from './exam-report.ts';
export { chosen, examine, SCENARIOS } from './examine.ts';
export { loadSubjects, subjectOf } from './subjects.ts';
