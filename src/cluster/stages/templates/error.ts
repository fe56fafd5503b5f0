// Errors of templates.

/** A template that cannot be read. */
export class TemplateSyntaxError extends Error {
  override name = 'TemplateSyntaxError';
}

/** A template that fails on its data. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}
