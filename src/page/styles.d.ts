// Style sheets imported by components; the build collects them into page.css.

declare module '*.css';
