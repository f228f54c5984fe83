/// The style of the page: light and dark, screen and paper, wide and narrow.
enum HTMLStyle {
  /// What the page's Content-Security-Policy allows; a test computes it anew.
  static let hash = "sha256-g3/4XbDfqILdmMW04EWipMd+rVtZJ8YCzSEEyyxcsYk="

  static let text = #"""
    :root {
      color-scheme: light dark;
      --page: #faf9f6; --panel: #ffffff; --text: #1f2328; --quiet: #59626c; --line: #e2dfd8;
      --link: #24557f;
      --covered: #2f7f6d; --both: #1f6079; --self: #dca63f; --exposed: #cb4b37;
      --outside: #bcc2ca; --unknown: #8467ad;
      --error: #b23a28; --warning: #8a5d00; --note: #3b6287;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #15181b; --panel: #1c2024; --text: #e6e8ea; --quiet: #9aa3ac; --line: #2f353b;
        --link: #8fc1ee;
        --covered: #3e9a85; --both: #367f9c; --self: #c2953f; --exposed: #d65f4a;
        --outside: #5a636d; --unknown: #9279bd;
        --error: #f08a78; --warning: #e0b25a; --note: #93bde4;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; max-width: 70rem; padding: 2.5rem 1.5rem 3rem;
      background: var(--page); color: var(--text);
      font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
      font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
    }
    code {
      font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
      overflow-wrap: anywhere; unicode-bidi: isolate;
    }
    p, li, h3, .name, .where { overflow-wrap: anywhere; }
    .dir, .quiet { color: var(--quiet); }
    header { border-left: 0.4rem solid var(--covered); padding-left: 1.25rem; }
    header.findings { border-color: var(--exposed); }
    header.untrusted { border-color: var(--unknown); }
    .kicker { margin: 0; color: var(--quiet); font-size: 0.875rem; letter-spacing: 0.02em; }
    h1 {
      margin: 0.1rem 0 0.3rem; font-size: 2.5rem; line-height: 1.15; font-weight: 650;
      letter-spacing: -0.02em;
    }
    .lead { margin: 0; font-size: 1.125rem; }
    .inputs { margin: 0.6rem 0 0; padding: 0; list-style: none; font-size: 0.9375rem; }
    h2 {
      margin: 3rem 0 0.75rem; font-size: 1.375rem; line-height: 1.3; font-weight: 620;
      letter-spacing: -0.01em;
    }
    h3 { margin: 1.5rem 0 0.4rem; font-size: 1rem; font-weight: 620; }
    p { margin: 0.4rem 0; max-width: 46rem; }

    .defs { position: absolute; }
    .covered-by-ancestor { fill: var(--covered); }
    .marked-and-covered { fill: var(--both); }
    .self-marked { fill: var(--self); }
    .exposed { fill: var(--exposed); }
    .outside-backup { fill: var(--outside); }
    .unknown { fill: var(--unknown); }
    .ink { fill: #fff; fill-opacity: 0.34; }
    .self-marked + .ink { fill: #000; fill-opacity: 0.28; }
    .outside-backup ~ .ink { fill: #000; fill-opacity: 0.22; }
    .swatch { width: 0.8rem; height: 0.8rem; margin-right: 0.45rem; flex: none; }
    .bar { display: block; width: 100%; height: 1.25rem; border-radius: 0.25rem; }

    .figures { margin-top: 1.75rem; }
    dl {
      display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.75rem; margin: 0.75rem 0;
    }
    dl div {
      background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem;
      padding: 0.7rem 0.9rem 0.8rem;
    }
    dl .none { background: none; }
    dl .none b { color: var(--quiet); font-weight: 400; }
    dt { font-size: 0.9375rem; }
    dd { margin: 0; }
    dd b { font-size: 1.625rem; line-height: 1.25; font-weight: 620; letter-spacing: -0.01em; }
    .bytes::before { content: "· "; }
    .bytes { margin-left: 0.35em; color: var(--quiet); }
    .meaning { display: block; color: var(--quiet); font-size: 0.875rem; line-height: 1.4; }

    .severity {
      border: 1px solid currentColor; border-radius: 1rem; padding: 0.05rem 0.55rem;
      margin-right: 0.35rem; font-size: 0.8125rem; font-weight: 500;
    }
    .error .severity { color: var(--error); }
    .warning .severity { color: var(--warning); }
    .note .severity { color: var(--note); }
    article {
      background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem;
      padding: 0.8rem 1rem; margin: 0.6rem 0;
    }
    article p:first-child, article h3 { margin-top: 0; }
    article > :last-child { margin-bottom: 0; }
    .fix { color: var(--text); }
    .fix b { font-weight: 620; margin-right: 0.3rem; }
    .places { margin: 0.6rem 0 0; padding: 0; list-style: none; }
    .places li { padding: 0.2rem 0; }
    .places li + li { border-top: 1px solid var(--line); }
    summary { cursor: pointer; color: var(--link); }
    .suppressed { margin-top: 1rem; }
    .tally { display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; margin: 0.4rem 0; }
    .tally b { font-weight: 620; }

    button, input {
      font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
      border-radius: 0.35rem; padding: 0.3rem 0.65rem;
    }
    button { cursor: pointer; }
    button:disabled { color: var(--quiet); cursor: default; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
    .tools {
      display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center;
      justify-content: space-between; margin: 0.75rem 0;
    }
    .tools[hidden] { display: none; }
    .choice { display: flex; }
    .choice button { font-size: 0.875rem; }
    .choice button:first-child { border-radius: 0.35rem 0 0 0.35rem; border-right: 0; }
    .choice button:last-child { border-radius: 0 0.35rem 0.35rem 0; }
    [aria-pressed="true"] { background: var(--text); color: var(--page); }
    #trail { display: flex; flex-wrap: wrap; min-width: 0; font-size: 0.875rem; }
    #trail button {
      border: 0; background: none; padding: 0.15rem 0.1rem; color: var(--link);
      overflow-wrap: anywhere; text-align: left;
    }
    #trail button + button::before { content: "/"; color: var(--quiet); margin: 0 0.3rem; }
    #trail [aria-current] { color: var(--text); }
    #plot svg { display: block; max-width: 100%; height: auto; }
    #plot .frame { fill: var(--panel); stroke: var(--line); }
    #plot .dir { cursor: pointer; outline: none; }
    #plot .dir:hover > .frame { stroke: var(--quiet); }
    #plot .dir:focus-visible > .frame { stroke: var(--link); stroke-width: 3; }
    #plot .dim { opacity: 0.15; }
    #plot text { font-size: 12px; pointer-events: none; }
    #plot .head { fill: var(--text); }
    #plot .label {
      fill: #fff; stroke: #000; stroke-opacity: 0.55; stroke-width: 3px; paint-order: stroke;
      stroke-linejoin: round;
    }
    #status { min-height: 1.6em; font-size: 0.875rem; max-width: none; overflow-wrap: anywhere; }

    #query { flex: 1 1 16rem; max-width: 24rem; }
    fieldset { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; border: 0; margin: 0; padding: 0; }
    legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    label { display: inline-flex; align-items: center; font-size: 0.875rem; cursor: pointer; }
    label input { margin: 0 0.4rem 0 0; accent-color: var(--text); }
    table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
    th { text-align: left; font-weight: 500; color: var(--quiet); font-size: 0.875rem; }
    th, td { padding: 0.35rem 0.9rem 0.35rem 0; vertical-align: top; }
    thead th { border-bottom: 1px solid var(--line); }
    th button { border: 0; background: none; padding: 0; color: inherit; }
    th[aria-sort] button { color: var(--text); font-weight: 620; }
    th[aria-sort="ascending"] button::after { content: " ↓"; }
    th[aria-sort="descending"] button::after { content: " ↑"; }
    tbody tr + tr td { border-top: 1px solid var(--line); }
    .group th { padding-top: 1.5rem; color: var(--text); font-size: 0.9375rem; }
    tbody:first-of-type .group th { padding-top: 0.9rem; }
    .group .name { font-weight: 620; margin-right: 0.35rem; }
    .group code { font-weight: 400; }
    .group.idle { display: none; }
    .where { display: block; color: var(--quiet); font-size: 0.8125rem; line-height: 1.4; }
    .where[hidden] { display: none; }
    td:nth-child(2) { width: 13.5rem; }
    .why { display: block; color: var(--quiet); font-size: 0.8125rem; line-height: 1.4; }
    th:nth-child(n+3), td:nth-child(n+3) { text-align: right; white-space: nowrap; }
    th:last-child, td:last-child { padding-right: 0; }
    footer {
      margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line);
      font-size: 0.9375rem;
    }

    @media (max-width: 44rem) {
      body { padding: 1.5rem 1rem 2rem; }
      h1 { font-size: 2rem; }
      dl { grid-template-columns: repeat(2, 1fr); gap: 0.5rem; }
      dl div { padding: 0.5rem 0.7rem 0.6rem; }
      dd b { font-size: 1.375rem; }
      thead th:nth-child(2), thead th:nth-child(4), td:last-child { display: none; }
      tbody tr[data-v] { display: grid; grid-template-columns: 1fr auto; padding: 0.45rem 0; }
      tbody tr[data-v][hidden] { display: none; }
      tbody tr + tr { border-top: 1px solid var(--line); }
      tbody tr + tr td { border: 0; }
      td { padding: 0; }
      td:first-child { grid-column: 1 / -1; }
      td:nth-child(2) { width: auto; font-size: 0.875rem; }
      td:nth-child(3) { font-size: 0.875rem; color: var(--quiet); }
    }

    @media print {
      :root {
        color-scheme: light;
        --page: #fff; --panel: #fff; --text: #000; --quiet: #444; --line: #bbb; --link: #000;
        --covered: #2f7f6d; --both: #1f6079; --self: #dca63f; --exposed: #cb4b37;
        --outside: #bcc2ca; --unknown: #8467ad; --error: #000; --warning: #000; --note: #000;
      }
      body { max-width: none; padding: 0; font-size: 10pt; }
      svg, header { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .tools, #status { display: none; }
      h2 { break-after: avoid; }
      h3 { break-after: avoid; }
      tr, li, dl div, #plot { break-inside: avoid; }
      p { orphans: 3; widows: 3; }
      thead { display: table-header-group; }
      details::details-content { content-visibility: visible; block-size: auto; }
      summary { list-style: none; }
    }

    """#
}
