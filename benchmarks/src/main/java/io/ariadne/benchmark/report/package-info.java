/**
 * Results for people and programs: the measurements of a run as table, JSON and chart, the page of
 * fallbacks, the progress bar.
 */
package io.ariadne.benchmark.report;
