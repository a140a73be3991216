/**
 * Auto-configuration of the dashboard.
 */
@NullMarked
package io.ojs.boot.dashboard;

import org.jspecify.annotations.NullMarked;
