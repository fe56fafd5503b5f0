// `keelson/cel`: expressions of custom resources' rules, checked, estimated and evaluated without a server.

export {
  type Examination,
  type ExpressionQuestion,
  examineExpression,
  schemaIn,
} from './expressions/examination.ts';
