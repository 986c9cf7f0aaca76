# SPDX-License-Identifier: Apache-2.0
# nb_link as a component of Platform Designer, for Agilex and other cards of Intel. Add this
# directory to the IP search path of Quartus. The script has only been tested under stand-ins for
# Platform Designer's commands; Quartus has never read it.
package require -exact qsys 18.1

set_module_property NAME nb_link
set_module_property DISPLAY_NAME "netbench link core"
set_module_property VERSION 1.0
set_module_property GROUP netbench
set_module_property ELABORATION_CALLBACK add_streams

add_fileset QUARTUS_SYNTH QUARTUS_SYNTH
set_fileset_property QUARTUS_SYNTH TOP_LEVEL nb_link_prot
foreach file {wrap/nb_link_prot nb_link nb_send nb_recv nb_times nb_regs} {
    add_fileset_file [file tail $file].sv SYSTEM_VERILOG PATH ../$file.sv
}

add_parameter W INTEGER 512
set_parameter_property W ALLOWED_RANGES {256 512}
set_parameter_property W HDL_PARAMETER true

add_interface clock clock end
add_interface_port clock ap_clk clk Input 1

add_interface reset reset end
set_interface_property reset associatedClock clock
add_interface_port reset ap_rst_n reset_n Input 1

add_interface control axi4lite end
set_interface_property control associatedClock clock
set_interface_property control associatedReset reset
foreach {role direction width} {
    awaddr Input 13  awprot Input 3  awvalid Input 1  awready Output 1
    wdata Input 32  wstrb Input 4  wvalid Input 1  wready Output 1
    bresp Output 2  bvalid Output 1  bready Input 1
    araddr Input 13  arprot Input 3  arvalid Input 1  arready Output 1
    rdata Output 32  rresp Output 2  rvalid Output 1  rready Input 1
} {
    add_interface_port control s_axi_control_$role $role $direction $width
}

add_interface irq interrupt end
set_interface_property irq associatedClock clock
set_interface_property irq associatedReset reset
add_interface_port irq interrupt irq Output 1

# The streams, whose width is the parameter.
proc add_streams {} {
    set w [get_parameter_value W]
    foreach {name mode} {out start in end} {
        add_interface $name axi4stream $mode
        set_interface_property $name associatedClock clock
        set_interface_property $name associatedReset reset
    }
    add_interface_port out out_tdata tdata Output $w
    add_interface_port out out_tvalid tvalid Output 1
    add_interface_port out out_tready tready Input 1
    add_interface_port out out_tlast tlast Output 1
    add_interface_port out out_tkeep tkeep Output [expr {$w / 8}]
    add_interface_port in in_tdata tdata Input $w
    add_interface_port in in_tvalid tvalid Input 1
    add_interface_port in in_tready tready Output 1
}
